/* Of two windows one is made with the promise that nobody locks it, and the other one is locked.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int memory[4] = {0, 0, 0, 0};
    MPI_Info info;
    MPI_Win windows[2];
    MPI_Info_create(&info);
    MPI_Info_set(info, "no_locks", "true");
    MPI_Win_create(memory, 8, sizeof(int), info, MPI_COMM_WORLD, &windows[0]);
    MPI_Info_set(info, "no_locks", "false");
    MPI_Win_create(memory + 2, 8, sizeof(int), info, MPI_COMM_WORLD, &windows[1]);
    MPI_Info_free(&info);
    MPI_Win_fence(0, windows[0]);
    MPI_Put(&rank, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, windows[0]);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, windows[0]);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, windows[1]);
        MPI_Put(&rank, 1, MPI_INT, 1, 1, 1, MPI_INT, windows[1]);
        MPI_Win_unlock(1, windows[1]);
    }
    MPI_Win_free(&windows[1]);
    MPI_Win_free(&windows[0]);
    return finish();
}
