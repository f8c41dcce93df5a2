/* A communicator is given back with MPI_Comm_disconnect when the receive there is complete.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    static int number = 0;
    MPI_Comm own;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    if (rank == 0) {
        MPI_Irecv(&number, 1, MPI_INT, 1, 0, own, &request);
    } else {
        MPI_Send(&number, 1, MPI_INT, 0, 0, own);
    }
    if (rank == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_disconnect(&own);
    return finish();
}
