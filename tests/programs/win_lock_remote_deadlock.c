/* Two origins and a target that shares no memory with them: the lock is waited for when
 * the operations must be done, or at once. The holder waits for a message of the other origin.
 *
 * expect: deadlock
 * ranks: 3
 * core: 0 1
 * wait: 0 all 1 MPI_Recv LINE(receive)
 * wait: 1 all 0 MPI_Win_unlock LINE(unlock)
 * wait_on: ch4 1 all 0 MPI_Win_lock LINE(lock)
 * victim: 2 0
 * call: 2 MPI_Barrier LINE(barrier)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    int cell = 0;
    MPI_Win win;
    MPI_Win_create(&cell, sizeof cell, sizeof cell, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, win);
        MPI_Put(&rank, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
        MPI_Win_flush(2, win);
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @receive
        MPI_Win_unlock(2, win);
    } else if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win);  // @lock
        MPI_Put(&rank, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
        MPI_Win_unlock(2, win);  // @unlock
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);  // @barrier
    MPI_Win_free(&win);
    return finish();
}
