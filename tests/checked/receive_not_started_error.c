/* A persistent receive is waited for without having been started; the message for it is left.
 *
 *   ranks: 2
 *   find: error | request not started | 1 | MPI_Wait LINE(wait)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data = rank;
    MPI_Request request;
    if (rank == 0) MPI_Send(&data, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Recv_init(&data, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);  // @wait
        MPI_Request_free(&request);
    }
    return finish();
}
