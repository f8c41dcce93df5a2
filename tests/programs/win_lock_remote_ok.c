/* A lock on the window of a rank that computes: nothing happens to its window until it
 * calls MPI again.
 *
 * expect: none
 * ranks: 2
 * running: 1
 * call: 0 MPI_Win_unlock LINE(unlock)
 * wait_on: ch4 0 all 1 MPI_Win_lock LINE(lock)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int cell = 0;
    MPI_Win win;
    MPI_Win_create(&cell, sizeof cell, sizeof cell, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);  // @lock
        MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);  // @unlock
    } else {
        compute_until_released();
    }
    MPI_Win_free(&win);
    return finish();
}
