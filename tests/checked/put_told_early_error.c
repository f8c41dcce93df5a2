/* Rank 1 is told by messages and a barrier of what rank 0 has put, but the operations are not
 * complete there: one is not flushed before the message, one is flushed locally only.
 *
 *   ranks: 2
 *   find: error | RMA conflict | 0 1 | LINE(loaded)
 *   find: error | RMA conflict | 0 1 | LINE(added)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int *memory, sum = 0, value = 5;
    MPI_Win window;
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    memory[0] = memory[1] = 0;
    MPI_Win_lock_all(0, window);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Send(&sum, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Win_flush(1, window);
    } else {
        MPI_Recv(&sum, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum = memory[0];  // @loaded
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, window);
        MPI_Win_flush_local(1, window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(window);
    if (rank == 1) sum += memory[1];  // @added
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    return finish() + (sum < 0);
}
