/* Rank 1 completes its operation before the barrier, after which rank 2 puts to the same place.
 * 
 *   ranks: 3
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    MPI_Win window;
    int memory[4] = {0}, value = 0;
    const int rank = start(&argc, &argv);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_lock_all(0, window);
    if (rank == 1) MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_flush_all(window);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2) MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    return finish();
}
