/* Rank 1 waits for a message of rank 0, which has finished.
 *
 *   ranks: 2
 *   stuck
 *   find: error | real hang-up | 1 | MPI_Recv LINE(recv)
 *   may: nonpaired recv
 *   may: unfinished recv
 *   may: incomplete call
 *   may: abort
 *   may: incomplete gop
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    if (rank == 1)
        MPI_Recv(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @recv
    return finish();
}
