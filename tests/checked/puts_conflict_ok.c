/* Ranks 0 and 1 accumulate into the same integer, and put to different ones.
 *
 *   ranks: 3
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int memory[4] = {0}, value = rank;
    MPI_Win window;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    if (rank < 2) {
        MPI_Put(&value, 1, MPI_INT, 2, rank, 1, MPI_INT, window);
        MPI_Accumulate(&value, 1, MPI_INT, 2, 3, 1, MPI_INT, MPI_SUM, window);
    }
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    return finish();
}
