/* The only rank returns from main without MPI_Finalize; of several, mpiexec kills the others.
 *
 *   ranks: 1
 *   find: error | missing finalize | 0 | LINE(end)
 *   may: abort
 *   may: incomplete call
 *   may: abend
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (sum != 0) exit(2);
    printf("%d\n", rank);
    return 0;
} // @end
