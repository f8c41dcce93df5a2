/* A persistent send is waited for after it has been started, and again when it is complete.
 *
 *   ranks: 3
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data = rank;
    MPI_Request request;
    if (rank == 1) {
        MPI_Send_init(&data, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, &request);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    }
    if (rank == 2) MPI_Recv(&data, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return finish();
}
