/* Rank 0 writes to the buffer of a send that is not complete.
 *
 *   ranks: 2
 *   find: error | send checksum | 0 | MPI_Wait LINE(wait)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data[10] = {0};
    if (rank == 0) {
        MPI_Request request;
        MPI_Isend(data, 10, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        data[0] = 10;
        data[9] = 11;
        MPI_Wait(&request, MPI_STATUS_IGNORE);  // @wait
    } else {
        MPI_Recv(data, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return finish();
}
