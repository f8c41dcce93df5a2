/* Rank 0 promises that nobody else locks rank 2 meanwhile, which rank 1 does.
 *
 *   ranks: 3
 *   find: error | epoch error | 0 1 | MPI_Win_lock LINE(promise)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int memory[4] = {0}, value = rank;
    MPI_Win window;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, MPI_MODE_NOCHECK, window);  // @promise
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, window);
        MPI_Win_unlock(2, window);
    } else if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, window);
        MPI_Get(&value, 1, MPI_INT, 2, 1, 1, MPI_INT, window);
        MPI_Win_unlock(2, window);
    }
    MPI_Win_free(&window);
    return finish();
}
