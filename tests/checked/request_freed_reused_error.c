/* Rank 0 receives into the buffer of a send whose request it has freed: nothing has told it that
 * the send is complete.
 *
 *   ranks: 2
 *   find: warning | nonpersistent request free | 0 | MPI_Request_free LINE(free)
 *   find: error | overlapping | 0 | MPI_Recv LINE(reuse)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank, answer = 0;
    if (rank == 0) {
        MPI_Request request;
        MPI_Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);  // @free
        MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @reuse
    } else {
        MPI_Recv(&answer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&answer, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    return finish();
}
