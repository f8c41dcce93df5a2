/* Both ranks receive before they send.
 *
 *   ranks: 2
 *   stuck
 *   find: error | real deadlock | 0 1 | MPI_Recv LINE(recv)
 *   may: incomplete call
 *   may: abort
 *   may: unfinished recv
 *   may: nonpaired recv
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    MPI_Recv(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @recv
    MPI_Send(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    return finish();
}
