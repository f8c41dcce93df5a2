/* Rank 0 unlocks what it has locked.
 * 
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    MPI_Win window;
    int memory[4] = {0}, value = 0;
    const int rank = start(&argc, &argv);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_unlock(1, window);
    }
    MPI_Win_free(&window);
    return finish();
}
