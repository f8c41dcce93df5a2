/* The tags keep the two messages apart.
 *
 *   ranks: 3
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value[2] = {rank, rank};
    MPI_Request request;
    if (rank == 0) {
        MPI_Irecv(&value[0], 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request);
        MPI_Recv(&value[1], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        const double until = MPI_Wtime() + 0.2;
        while (MPI_Wtime() < until) {
        }
        MPI_Send(value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Send(value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    return finish();
}
