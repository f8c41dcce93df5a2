/* Two receives of rank 1 are active at a time and share 4 integers of their buffers.
 *
 *   ranks: 2
 *   find: error | overlapping | 1 | MPI_Irecv LINE(second)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data[16] = {0};
    if (rank == 0) {
        MPI_Send(data, 10, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(data, 10, MPI_INT, 1, 2, MPI_COMM_WORLD);
    } else {
        MPI_Request requests[2];
        MPI_Irecv(data, 10, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(data + 6, 10, MPI_INT, 0, 2, MPI_COMM_WORLD, &requests[1]);  // @second
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    return finish();
}
