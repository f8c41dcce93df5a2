/* A send in buffered mode, and nobody has attached a buffer.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 | MPI_Bsend LINE(send)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    if (rank == 0) MPI_Bsend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);  // @send
    if (rank == 1) MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return finish();
}
