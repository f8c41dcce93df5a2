/* A lock that its holder keeps while it waits in a barrier for the rank that wants it.
 *
 * expect: deadlock
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Barrier LINE(barrier)
 * wait: 1 all 0 MPI_Win_lock LINE(lock)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int* cell = NULL;
    int value = 0;
    MPI_Win win;
    MPI_Win_allocate(sizeof *cell, sizeof *cell, MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);  // @barrier
        MPI_Win_unlock(1, win);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);  // @lock
        MPI_Win_unlock(1, win);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_free(&win);
    return finish();
}
