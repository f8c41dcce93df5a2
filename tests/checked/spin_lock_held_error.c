/* Processes ask for a lock of their own making in a window a great many times, and one writes to
 * what it is for before it has the lock.
 *
 *   ranks: 3
 *   find: error | RMA conflict | 0 1 | MPI_Put LINE(early)
 *   may: RMA conflict
 */
#include <unistd.h>

#include "tests/checked/checked.h"

static MPI_Win window;

static void take(void) {
    const int taken = 1, open = 0;
    int before = 1;
    while (before != 0) {
        MPI_Compare_and_swap(&taken, &open, &before, MPI_INT, 0, 0, window);
        MPI_Win_flush(0, window);
    }
}

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int open = 0;
    int *memory = NULL, value = rank, before;
    MPI_Win_allocate(2 * sizeof(int), 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    memory[0] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    if (rank == 0) take();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, window);  // @early
    if (rank != 0) take();
    // One of the two who waited: which of them came first is not said.
    if (rank != 2) MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, window);
    usleep(400000);
    MPI_Win_flush(0, window);
    MPI_Fetch_and_op(&open, &before, MPI_INT, 0, 0, MPI_REPLACE, window);
    MPI_Win_flush(0, window);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    return finish();
}
