/* Rank 1 sums up what is in its window, each element once, while rank 0 may be putting there.
 *
 *   ranks: 2
 *   find: error | RMA conflict | 0 1 | LINE(sum)
 */
#include "tests/checked/checked.h"

enum { kElements = 4 };

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int *memory, sum = 0, value = 5;
    MPI_Win window;
    MPI_Win_allocate(
        kElements * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    for (int i = 0; i < kElements; ++i)
        memory[i] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_unlock(1, window);
    } else {
        for (int i = 0; i < kElements; ++i)
            sum += memory[i];  // @sum
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&window);
    return finish() + (sum < 0);
}
