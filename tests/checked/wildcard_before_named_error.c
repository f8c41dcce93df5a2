/* A pending receive from any source can take the message that the next receive is meant for. That
 * rank 1 is late lets the run take the harmless way.
 *
 *   ranks: 3
 *   find: warning | message race | 0 1 2 | MPI_Irecv LINE(any)
 *   may: potential hang-up
 *   may: potential deadlock
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value[2] = {rank, rank};
    MPI_Request request;
    if (rank == 0) {
        MPI_Irecv(&value[0], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);  // @any
        MPI_Recv(&value[1], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        const double until = MPI_Wtime() + 0.2;
        while (MPI_Wtime() < until) {
        }
        MPI_Send(value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Send(value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    return finish();
}
