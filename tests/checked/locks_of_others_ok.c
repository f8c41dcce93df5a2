/* Two processes put to the same place under a shared lock. Each holds an exclusive lock of one and the
 * same other part besides: one comes after the other.
 *
 *   ranks: 3
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int* memory;
    MPI_Win window;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    const int guard = 1;
    if (rank != 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, guard, 0, window);
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_unlock(0, window);
        MPI_Win_unlock(guard, window);
    }
    MPI_Win_free(&window);
    return finish();
}
