/* A process stores to its part of a window of MPI_Win_allocate_shared while another one puts there.
 *
 *   ranks: 2
 *   watchpoints
 *   find: error | RMA conflict | 0 1 | LINE(store)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int *memory, number = 3;
    MPI_Win window;
    MPI_Win_allocate_shared(
        16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_lock_all(0, window);
    if (rank == 0) {
        MPI_Put(&number, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_flush(1, window);
    } else {
        memory[0] = 4;  // @store
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    return finish();
}
