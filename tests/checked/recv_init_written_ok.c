/* Rank 1 writes to the buffer of a persistent receive in front of its start and behind its
 * completion.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = 0;
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Request request;
        MPI_Recv_init(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        value = 1;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        value = 2;
        MPI_Request_free(&request);
    }
    return finish();
}
