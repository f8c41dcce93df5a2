/* Rank 0 frees the request of a send that may still be on its way, and never learns when its
 * buffer is free.
 *
 *   ranks: 2
 *   find: warning | nonpersistent request free | 0 | MPI_Request_free LINE(free)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    if (rank == 0) {
        MPI_Request request;
        MPI_Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);  // @free
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return finish();
}
