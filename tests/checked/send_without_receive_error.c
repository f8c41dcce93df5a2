/* Rank 0 sends a short message that rank 1 never receives.
 *
 *   ranks: 2
 *   find: error | nonpaired send | 0 | MPI_Send LINE(send)
 *   may: potential deadlock
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    if (rank == 0) MPI_Send(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);  // @send
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}
