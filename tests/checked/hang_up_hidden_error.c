/* Rank 0 sends a short message to rank 1, which has nothing to receive it with: without a
 * buffer it waits for ever.
 *
 *   ranks: 2
 *   find: error | nonpaired send | 0 | MPI_Send LINE(send)
 *   may: potential hang-up
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    if (rank == 0) MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);  // @send
    return finish();
}
