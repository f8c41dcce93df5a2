/* A function starts a send of its own variable and waits for it.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

static void __attribute__((noinline)) tell(int rank) {
    int values[4] = {rank, 1, 2, 3};
    MPI_Request request;
    MPI_Isend(values, 4, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int values[4] = {0};
    if (rank == 0) {
        tell(rank);
    } else {
        MPI_Recv(values, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}
