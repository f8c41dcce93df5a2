/* Rank 1 loads from its window under an exclusive lock; rank 0 puts there under another one.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int kind = MPI_LOCK_EXCLUSIVE;
    int *memory, number = 3, sum = 0;
    MPI_Win window;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    memory[0] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(kind, 1, 0, window);
    if (rank == 0) {
        MPI_Put(&number, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
    } else {
        sum += memory[0];
    }
    MPI_Win_unlock(1, window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&window);
    return finish() + (sum < 0);
}
