/* An MPI_Waitall on the requests of an MPI_Rget and an MPI_Raccumulate: the target of both
 * has given no lock away, and computes. The lock comes when it calls MPI again.
 *
 * expect: none
 * on: ch4 perhaps_unknown
 * ranks: 2
 * running: 0
 * call: 1 MPI_Waitall LINE(wait)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    int* cell = large_buffer();
    MPI_Win win;
    MPI_Request requests[2];
    MPI_Win_create(cell, sizeof *cell, sizeof *cell, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 0) {
        compute_until_released();
    } else {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Rget(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &requests[0]);
        MPI_Raccumulate(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);  // @wait
        MPI_Win_unlock(0, win);
    }
    MPI_Win_free(&win);
    return finish();
}
