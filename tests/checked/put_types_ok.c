/* Rank 0 puts MPI_FLOAT as MPI_FLOAT.
 * 
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    MPI_Win window;
    int memory[4] = {0};
    float value = 0;
    const int rank = start(&argc, &argv);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    if (rank == 0) MPI_Put(&value, 1, MPI_FLOAT, 1, 0, 1, MPI_FLOAT, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    return finish();
}
