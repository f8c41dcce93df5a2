/* Locks on all windows, one of which is locked exclusively by a rank that waits.
 *
 * expect: deadlock
 * ranks: 3
 * core: 0 1
 * wait: 0 all 1 MPI_Win_lock_all LINE(lock)
 * wait: 1 all 0 MPI_Recv LINE(receive)
 * victim: 2 0
 * call: 2 MPI_Barrier LINE(barrier)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    int* cell = NULL;
    MPI_Win win;
    MPI_Win_allocate(sizeof *cell, sizeof *cell, MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, win);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @receive
        MPI_Win_unlock(2, win);
    } else if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_lock_all(0, win);  // @lock
        MPI_Win_unlock_all(win);
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);  // @barrier
    MPI_Win_free(&win);
    return finish();
}
