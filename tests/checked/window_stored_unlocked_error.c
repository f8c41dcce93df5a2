/* Rank 1 stores to its window without a lock while rank 0 puts there under one.
 *
 *   ranks: 2
 *   find: error | RMA conflict | 0 1 | MPI_Put LINE(put)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int memory[2] = {0}, value = 5;
    MPI_Win window;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);  // @put
        MPI_Win_unlock(1, window);
    } else {
        memory[0] = 8;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&window);
    return finish();
}
