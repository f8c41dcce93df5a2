/* Rank 0 puts before any epoch is open; errors are returned.
 *
 *   ranks: 2
 *   find: error | epoch error | 0 | MPI_Put LINE(put)
 *   may: MPI error
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int memory[4] = {0}, value = rank;
    MPI_Win window;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
    if (rank == 0) MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);  // @put
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&window);
    return finish();
}
