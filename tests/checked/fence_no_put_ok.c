/* Rank 1 promises that nobody puts anything into its memory: rank 1 puts into that of rank 0, and
 * rank 0 gets.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int memory[2] = {0, 0}, got = 0;
    MPI_Win window;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(rank == 1 ? MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE : MPI_MODE_NOPRECEDE, window);
    if (rank == 1) MPI_Put(&rank, 1, MPI_INT, 0, 1, 1, MPI_INT, window);
    if (rank == 0) MPI_Get(&got, 1, MPI_INT, 1, 1, 1, MPI_INT, window);
    MPI_Win_fence(MPI_MODE_NOSUCCEED | (rank == 1 ? MPI_MODE_NOSTORE : 0), window);
    MPI_Win_free(&window);
    return finish();
}
