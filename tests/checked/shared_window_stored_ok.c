/* A process stores to its part of a window of MPI_Win_allocate_shared behind what another one has put
 * there, as a barrier tells it, or as the other one's store to a flag beside it does.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int *memory, number = 3, unit;
    volatile int* theirs;
    MPI_Aint bytes;
    MPI_Win window;
    MPI_Win_allocate_shared(
        16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_shared_query(window, 1, &bytes, &unit, &theirs);
    MPI_Win_lock_all(0, window);
    theirs[1] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(&number, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_flush(1, window);
        MPI_Win_sync(window);
        theirs[1] = 1;
    } else {
        while (theirs[1] == 0)
            MPI_Win_sync(window);
        memory[0] = 4;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) memory[0] = 5;
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    return finish();
}
