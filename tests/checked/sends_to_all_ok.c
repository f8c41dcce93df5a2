/* All send to all others, and receive that.
 *
 *   ranks: 4
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int number = rank, size;
    MPI_Request request;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int peer = 0; peer < size; ++peer) {
        if (peer == rank) continue;
        MPI_Irecv(&number, 1, MPI_INT, peer, 7, MPI_COMM_WORLD, &request);
        MPI_Send(&rank, 1, MPI_INT, peer, 7, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    return finish();
}
