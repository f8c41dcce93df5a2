/* Rank 0 promises that nobody puts anything into its memory, and rank 1 does.
 *
 *   ranks: 2
 *   find: error | epoch error | 0 1 | MPI_Put LINE(put)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int memory[2] = {0, 0};
    MPI_Win window;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(rank == 0 ? MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE : MPI_MODE_NOPRECEDE, window);
    if (rank == 1) MPI_Put(&rank, 1, MPI_INT, 0, 1, 1, MPI_INT, window);  // @put
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
    MPI_Win_free(&window);
    return finish();
}
