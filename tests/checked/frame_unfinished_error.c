/* A function starts a send of its own variable and returns: that nobody waits for it is the error,
 * and that the variable is gone follows.
 *
 *   ranks: 2
 *   find: error | unfinished send | 0 | MPI_Isend LINE(send)
 */
#include "tests/checked/checked.h"

static void __attribute__((noinline)) tell(int rank) {
    int values[4] = {rank, 1, 2, 3};
    MPI_Request request;
    MPI_Isend(values, 4, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);  // @send
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
