/* A collective operation among neighbors on a ring of four, for which one rank is
 * late: its two neighbors wait for it, the rank across has left already.
 *
 * expect: none
 * ranks: 4
 * running: 3
 * call: 0 MPI_Neighbor_allgather LINE(gather)
 * call: 1 MPI_Barrier LINE(barrier)
 * call: 2 MPI_Neighbor_allgather LINE(gather)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int values[2], size = 4, periodic = 1;
    MPI_Comm ring;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    if (rank == 3) {
        compute_until_released();
    }
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, values, 1, MPI_INT, ring);  // @gather
    MPI_Barrier(MPI_COMM_WORLD);                                          // @barrier
    MPI_Comm_free(&ring);
    return finish();
}
