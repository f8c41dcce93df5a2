/* Rank 0 gets as much as it has room for, in other pieces.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    MPI_Win window;
    MPI_Datatype pair;
    int memory[4] = {0}, values[4] = {0};
    const int rank = start(&argc, &argv);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    if (rank == 0) MPI_Get(values, 4, MPI_INT, 1, 0, 2, pair, window);
    MPI_Win_fence(0, window);
    MPI_Type_free(&pair);
    MPI_Win_free(&window);
    return finish();
}
