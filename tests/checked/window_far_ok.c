/* A process stores in the middle of its window, beside what another one puts in the same epoch.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

enum { kElements = 4096, kPlace = 3000 };

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int *memory, number = 3;
    MPI_Win window;
    MPI_Win_allocate(
        kElements * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_fence(0, window);
    if (rank == 0) MPI_Put(&number, 1, MPI_INT, 1, kPlace, 1, MPI_INT, window);
    if (rank == 1) memory[kPlace + 1] = 4;
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    return finish();
}
