/* Rank 0 puts MPI_FLOAT where it says that MPI_INT are.
 * 
 *   ranks: 2
 *   find: error | wrong data type | 0 | MPI_Put LINE(put)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    MPI_Win window;
    int memory[4] = {0};
    float value = 0;
    const int rank = start(&argc, &argv);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    if (rank == 0) MPI_Put(&value, 1, MPI_FLOAT, 1, 0, 1, MPI_INT, window);  // @put
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    return finish();
}
