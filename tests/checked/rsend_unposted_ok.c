/* Sends in ready mode whose receives are posted: a message, a barrier says so.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int values[2] = {rank, rank};
    MPI_Request requests[2];
    if (rank == 1) {
        MPI_Irecv(&values[0], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Recv_init(&values[1], 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Start(&requests[1]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Rsend(&values[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Irsend(&values[1], 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        MPI_Recv(&values[0], 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Rsend(&values[1], 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
    } else {
        int last = 0;
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        MPI_Request_free(&requests[1]);
        MPI_Irecv(&last, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &requests[0]);
        MPI_Send(&values[0], 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    return finish();
}
