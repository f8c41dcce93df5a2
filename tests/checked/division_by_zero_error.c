/* Rank 1 divides by zero while rank 0 waits for it.
 *
 *   ranks: 2
 *   find: error | abend | 1 | LINE(divide)
 *   may: real hang-up
 *   may: nonpaired recv
 *   may: unfinished recv
 *   may: incomplete call
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = 7, zero = argc - 1;
    if (rank == 1) value /= zero;  // @divide
    if (rank == 1) MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return finish();
}
