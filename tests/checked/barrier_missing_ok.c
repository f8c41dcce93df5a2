/* All ranks of a communicator without rank 2 are in the barrier.
 *
 *   ranks: 3
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    MPI_Comm others;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 2 ? MPI_UNDEFINED : 0, rank, &others);
    if (rank != 2) {
        MPI_Barrier(others);
        MPI_Comm_free(&others);
    }
    return finish();
}
