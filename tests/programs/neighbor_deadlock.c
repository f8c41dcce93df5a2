/* A collective operation among neighbors on a ring of four, which one rank does not
 * enter: only its two neighbors wait for it, the rank across does not.
 *
 * expect: deadlock
 * ranks: 4
 * core: 0 3
 * wait: 0 all 3 MPI_Neighbor_allgather LINE(gather)
 * wait: 3 all 0 MPI_Recv LINE(receive)
 * call: 1 MPI_Barrier LINE(barrier)
 * call: 2 MPI_Neighbor_allgather LINE(gather)
 * victim: 1 0
 * victim: 2 3
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0, values[2], size = 4, periodic = 1;
    MPI_Comm ring;
    MPI_Status status;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    if (rank == 3) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);  // @receive
    }
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, values, 1, MPI_INT, ring);  // @gather
    MPI_Barrier(MPI_COMM_WORLD);                                          // @barrier
    return finish();
}
