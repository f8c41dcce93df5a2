/* A communicator is given back with MPI_Comm_disconnect while a receive is pending there; some
 * libraries wait for that now for ever.
 *
 *   ranks: 2
 *   stuck
 *   find: error | pending operation | 0 | MPI_Comm_disconnect LINE(leave)
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
    MPI_Comm_disconnect(&own);  // @leave
    if (rank == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
    return finish();
}
