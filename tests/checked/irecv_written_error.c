/* Rank 1 writes to the buffer of a receive that is not complete.
 *
 *   ranks: 2
 *   find: error | pending buffer access | 1 | MPI_Irecv LINE(receive)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data[10] = {0};
    if (rank == 0) {
        MPI_Send(data, 10, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Request request;
        MPI_Irecv(data, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);  // @receive
        data[3] = 10;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    return finish();
}
