/* Rank 0 promises that nobody else locks rank 2 meanwhile, tells rank 1 when it has finished, and
 * both may share a lock then.
 *
 *   ranks: 3
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int memory[4] = {0}, value = rank;
    MPI_Win window;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, MPI_MODE_NOCHECK, window);
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, window);
        MPI_Win_unlock(2, window);
        MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, window);
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, window);
        MPI_Win_unlock(2, window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    if (rank != 2) MPI_Put(&value, 1, MPI_INT, 2, rank, 1, MPI_INT, window);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    return finish();
}
