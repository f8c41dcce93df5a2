/* A persistent receive is waited for before it is started, too, as in a loop over steps.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data = rank;
    MPI_Request request;
    if (rank == 0) MPI_Send(&data, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Recv_init(&data, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    }
    return finish();
}
