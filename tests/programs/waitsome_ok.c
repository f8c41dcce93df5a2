/* Waitsome over receives from a rank that waits for the receiver and one that
 * computes: the second is enough.
 *
 * expect: none
 * ranks: 3
 * running: 2
 * call: 0 MPI_Waitsome LINE(wait)
 * call: 1 MPI_Recv LINE(receive)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int values[2] = {0, 0};
    MPI_Status status;
    if (rank == 0) {
        int done = 0;
        int which[2];
        MPI_Request requests[2];
        MPI_Irecv(&values[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&values[1], 1, MPI_INT, 2, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitsome(2, requests, &done, which, MPI_STATUSES_IGNORE);  // @wait
        MPI_Send(values, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else if (rank == 1) {
        MPI_Recv(values, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);  // @receive
        MPI_Send(values, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        compute_until_released();
        MPI_Send(values, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    return finish();
}
