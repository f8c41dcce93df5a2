/* All ranks have started a nonblocking barrier; one computes before it waits for
 * it and so holds the others up, but it has arrived.
 *
 * expect: none
 * ranks: 3
 * running: 2
 * call: 0 MPI_Waitall LINE(wait)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Request request;
    MPI_Status status;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    if (rank == 2) {
        compute_until_released();
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else if (rank == 0) {
        MPI_Request requests[2] = {request, MPI_REQUEST_NULL};
        MPI_Irecv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);  // @wait
        request = requests[0];
    }
    MPI_Wait(&request, &status);
    return finish();
}
