/* Two processes put into the same element of a window of shared memory in one epoch.
 *
 *   ranks: 3
 *   find: error | RMA conflict | 0 2 | MPI_Put LINE(put)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    int* mine = NULL;
    MPI_Win window;
    MPI_Win_allocate_shared(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &window);
    mine[0] = mine[1] = 0;
    MPI_Win_fence(0, window);
    if (rank != 1) {
        MPI_Put(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, window);  // @put
    }
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    return finish();
}
