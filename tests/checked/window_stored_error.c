/* Rank 1 stores to its window while rank 0 may be putting to the same integer.
 *
 *   ranks: 2
 *   find: error | RMA conflict | 0 1 | MPI_Put LINE(put)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int memory[4] = {0}, value = 5;
    MPI_Win window;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, window);  // @put
    } else {
        memory[1] = 8;
    }
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    return finish();
}
