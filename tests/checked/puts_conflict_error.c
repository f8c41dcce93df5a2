/* Ranks 0 and 1 put to the same integer of rank 2 in one epoch.
 *
 *   ranks: 3
 *   find: error | RMA conflict | 0 1 | MPI_Put LINE(put)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int memory[4] = {0}, value = rank;
    MPI_Win window;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    if (rank < 2) MPI_Put(&value, 1, MPI_INT, 2, 1, 1, MPI_INT, window);  // @put
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    return finish();
}
