/* Rank 1 loads from its window once, while rank 0 may be putting there under a lock; and once more
 * at the end of an epoch of its own, but before rank 0 has said that its own is over.
 *
 *   ranks: 2
 *   find: error | RMA conflict | 0 1 | LINE(once)
 *   find: error | RMA conflict | 0 1 | LINE(behind)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int *memory, sum = 0, value = 5;
    MPI_Win window;
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    memory[0] = memory[1] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_unlock(1, window);
    } else {
        sum = memory[0];  // @once
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    if (rank == 0) MPI_Put(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, window);
    MPI_Win_unlock_all(window);
    if (rank == 1) sum += memory[1];  // @behind
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&window);
    return finish() + (sum < 0);
}
