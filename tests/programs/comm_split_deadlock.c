/* A communicator is created by all ranks but one.
 *
 * expect: deadlock
 * ranks: 3
 * core: 0 2
 * wait: 0 all 2 MPI_Comm_split LINE(split)
 * wait: 2 all 0 MPI_Recv LINE(receive)
 * call: 1 MPI_Comm_split LINE(split)
 * victim: 1 2
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Comm half;
    MPI_Status status;
    if (rank == 2) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);  // @receive
    }
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);  // @split
    return finish();
}
