/* A persistent receive and a persistent synchronous send that do not match. The
 * Waitall of rank 0 also names a persistent request that is not started.
 *
 * expect: deadlock
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Waitall LINE(waitall)
 * wait: 1 all 0 MPI_Wait LINE(wait)
 * hint: 0 tag 6
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int values[2] = {0, 0};
    MPI_Request requests[2];
    if (rank == 0) {
        MPI_Recv_init(&values[0], 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &requests[0]);
        MPI_Recv_init(&values[1], 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &requests[1]);
        MPI_Start(&requests[0]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);  // @waitall
    } else {
        MPI_Ssend_init(values, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, &requests[0]);
        MPI_Start(&requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);  // @wait
    }
    return finish();
}
