/* Rank 0 puts, and tells rank 2 so when it has synchronized the copies of the window, which
 * completes nothing.
 *
 *   ranks: 3
 *   find: error | RMA conflict | 0 2 | MPI_Put LINE(put)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int memory[4] = {0}, values[2] = {rank, 2};
    MPI_Win window;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_lock_all(0, window);
    if (rank == 0) {
        MPI_Put(values, 2, MPI_INT, 1, 0, 2, MPI_INT, window);  // @put
        MPI_Win_sync(window);
        MPI_Ssend(values, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else if (rank == 2) {
        MPI_Recv(values, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Put(values, 2, MPI_INT, 1, 0, 2, MPI_INT, window);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    return finish();
}
