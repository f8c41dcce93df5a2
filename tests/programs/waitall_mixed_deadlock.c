/* Waitall over a wildcard receive and one from a stuck rank: the running rank can
 * complete the first, nobody the second.
 *
 * expect: deadlock
 * ranks: 3
 * core: 0 1
 * running: 2
 * wait: 0 mixed 1,2 MPI_Waitall LINE(wait)
 * wait: 1 all 0 MPI_Recv LINE(receive)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int values[2] = {0, 0};
    MPI_Status status;
    if (rank == 0) {
        MPI_Request requests[2];
        MPI_Irecv(&values[0], 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&values[1], 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);  // @wait
    } else if (rank == 1) {
        MPI_Recv(values, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);  // @receive
    } else {
        compute_until_released();
    }
    return finish();
}
