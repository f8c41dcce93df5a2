/* Rank 0 gets into the buffer that it puts from, in the same epoch.
 *
 *   ranks: 2
 *   find: error | RMA conflict | 0 | MPI_Get LINE(get)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int memory[4] = {0}, value = rank;
    MPI_Win window;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Get(&value, 1, MPI_INT, 1, 2, 1, MPI_INT, window);  // @get
    }
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    return finish();
}
