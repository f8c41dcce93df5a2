/* Rank 0 writes to what it has put before that is complete.
 *
 *   ranks: 2
 *   find: error | pending buffer access | 0 | MPI_Put LINE(put)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int memory = 0, value = rank;
    MPI_Win window;
    MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);  // @put
        value = 7;
        MPI_Win_unlock(1, window);
    }
    MPI_Win_free(&window);
    return finish();
}
