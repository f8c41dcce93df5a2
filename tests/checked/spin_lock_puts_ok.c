/* Processes take turns by a lock of their own making in a window.
 *
 *   ranks: 3
 */
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

static void give_back(void) {
    const int open = 0;
    int before;
    MPI_Fetch_and_op(&open, &before, MPI_INT, 0, 0, MPI_REPLACE, window);
    MPI_Win_flush(0, window);
}

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int *memory = NULL, value = rank;
    MPI_Win_allocate(2 * sizeof(int), 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    memory[0] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    for (int i = 0; i < 20; ++i) {
        take();
        MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, window);
        MPI_Win_flush(0, window);
        give_back();
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    return finish();
}
