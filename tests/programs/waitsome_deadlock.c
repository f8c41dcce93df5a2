/* Waitsome over receives from two ranks that both wait for the receiver.
 *
 * expect: deadlock
 * ranks: 3
 * core: 0 1 2
 * wait: 0 any 1,2 MPI_Waitsome LINE(wait)
 * wait: 1 all 0 MPI_Recv LINE(receive)
 * wait: 2 all 0 MPI_Recv LINE(receive)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int values[2] = {0, 0};
    MPI_Status status;
    if (rank == 0) {
        int done = 0;
        int which[3];
        MPI_Request requests[3];
        MPI_Irecv(&values[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[0]);
        requests[1] = MPI_REQUEST_NULL;
        MPI_Irecv(&values[1], 1, MPI_INT, 2, 1, MPI_COMM_WORLD, &requests[2]);
        MPI_Waitsome(3, requests, &done, which, MPI_STATUSES_IGNORE);  // @wait
    } else {
        MPI_Recv(values, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);  // @receive
    }
    return finish();
}
