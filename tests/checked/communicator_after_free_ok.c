/* A communicator is freed while a receive on it is pending, and MPI gives its handle away
 * again.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank, size = 0;
    MPI_Comm other;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Irecv(&value, 1, MPI_INT, 1 - rank, 0, other, &request);
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, other);
    MPI_Comm_free(&other);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Comm_size(other, &size);
    MPI_Comm_free(&other);
    return finish();
}
