/* Rank 0 sends integers, rank 1 receives them as MPI_BYTE.
 *
 *   ranks: 2
 *   find: error | wrong data type | 0 1 | MPI_Recv LINE(recv)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data[4] = {0};
    if (rank == 0) MPI_Send(data, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(data, 16, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @recv
    return finish();
}
