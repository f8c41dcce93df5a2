/* Rank 1 is told by messages and a barrier of what rank 0 has put and completed, by another rank
 * of what it has got, and waits for a word that rank 0 puts behind the rest.
 *
 *   ranks: 3
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int *memory, sum = 0, value = 5, one = 1, old = 0;
    MPI_Win window;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    for (int i = 0; i < 4; ++i)
        memory[i] = 0;
    MPI_Win_lock_all(0, window);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_flush(1, window);
        MPI_Send(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else if (rank == 2) {
        MPI_Recv(&sum, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Get(&sum, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_flush_local(1, window);
        MPI_Send(&sum, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&sum, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        memory[0] = sum;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, window);
        MPI_Win_flush(1, window);
        MPI_Accumulate(&one, 1, MPI_INT, 1, 2, 1, MPI_INT, MPI_REPLACE, window);
        MPI_Win_flush(1, window);
    } else if (rank == 1) {
        while (sum != 1) {
            MPI_Fetch_and_op(NULL, &sum, MPI_INT, 1, 2, MPI_NO_OP, window);
            MPI_Win_flush(1, window);
        }
        MPI_Win_sync(window);
        sum += memory[1];
        memory[1] = sum;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Fetch_and_op(&one, &old, MPI_INT, 1, 3, MPI_SUM, window);
    MPI_Win_flush(1, window);
    // The last one has been told by the others' additions that they are done.
    if (old == 2) MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    return finish() + (sum < 0);
}
