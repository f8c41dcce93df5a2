/* A communicator is created; one rank is late.
 *
 * expect: none
 * ranks: 3
 * running: 2
 * call: 0 MPI_Comm_split LINE(split)
 * call: 1 MPI_Comm_split LINE(split)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    MPI_Comm half;
    if (rank == 2) {
        compute_until_released();
    }
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);  // @split
    MPI_Comm_free(&half);
    return finish();
}
