/* Rank 0 reduces where rank 1 gathers, and waits for ever.
 *
 *   ranks: 2
 *   stuck
 *   find: error | different collectives | 0 1 | MPI_Gather LINE(gather)
 *   may: potential deadlock
 *   may: real hang-up
 *   may: incomplete call
 *   may: abort
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank, result[2] = {0};
    if (rank == 0)
        MPI_Reduce(&value, result, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    else
        MPI_Gather(&value, 1, MPI_INT, result, 1, MPI_INT, 0, MPI_COMM_WORLD);  // @gather
    return finish();
}
