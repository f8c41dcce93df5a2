/* The request of an MPI_Rput waits for the lock on its target: the holder computes.
 *
 * expect: none
 * on: ch4 perhaps_unknown
 * ranks: 3
 * running: 0
 * call: 1 MPI_Wait LINE(wait)
 * call: 2 MPI_Barrier LINE(barrier)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    int* cell = large_buffer();
    MPI_Win win;
    MPI_Request request;
    MPI_Win_create(cell, sizeof *cell, sizeof *cell, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, win);
        MPI_Put(&rank, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
        MPI_Win_flush(2, win);
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        compute_until_released();
        MPI_Win_unlock(2, win);
    } else if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, win);
        MPI_Rput(&rank, 1, MPI_INT, 2, 0, 1, MPI_INT, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);  // @wait
        MPI_Win_unlock(2, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);  // @barrier
    MPI_Win_free(&win);
    return finish();
}
