/* A persistent send is waited for without having been started: who waits for its message hangs.
 *
 *   ranks: 3
 *   stuck
 *   find: error | request not started | 1 | MPI_Wait LINE(wait)
 *   may: abort
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data = rank;
    MPI_Request request;
    if (rank == 1) {
        MPI_Send_init(&data, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);  // @wait
        MPI_Request_free(&request);
    }
    if (rank == 2) MPI_Recv(&data, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return finish();
}
