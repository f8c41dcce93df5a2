/* The window is made with the promise that nobody locks it.
 *
 *   ranks: 2
 *   find: error | epoch error | 0 | MPI_Win_lock LINE(lock)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int memory[2] = {0, 0};
    MPI_Info info;
    MPI_Win window;
    MPI_Info_create(&info);
    MPI_Info_set(info, "no_locks", "true");
    MPI_Win_create(memory, sizeof memory, sizeof(int), info, MPI_COMM_WORLD, &window);
    MPI_Info_free(&info);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);  // @lock
        MPI_Put(&rank, 1, MPI_INT, 1, 1, 1, MPI_INT, window);
        MPI_Win_unlock(1, window);
    }
    MPI_Win_free(&window);
    return finish();
}
