/* Synchronous sends along a line: the last rank sends to MPI_PROC_NULL, which
 * returns at once, and so releases all others one by one.
 *
 * expect: finishes
 * ranks: 3
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int left = rank == 0 ? MPI_PROC_NULL : rank - 1;
    int right = rank == 2 ? MPI_PROC_NULL : rank + 1;
    int value = 0;
    MPI_Status status;
    MPI_Ssend(&rank, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_INT, left, 0, MPI_COMM_WORLD, &status);
    return finish();
}
