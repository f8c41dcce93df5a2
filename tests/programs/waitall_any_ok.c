/* Waitall over two wildcard receives, one sender is stuck and the other computes.
 *
 * expect: none
 * ranks: 3
 * running: 2
 * call: 0 MPI_Waitall LINE(wait)
 * call: 1 MPI_Recv LINE(receive)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int values[2] = {0, 0};
    MPI_Status status;
    if (rank == 0) {
        MPI_Request requests[2];
        MPI_Irecv(&values[0], 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&values[1], 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);  // @wait
        MPI_Send(values, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(values, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);  // @receive
    } else {
        compute_until_released();
        MPI_Send(values, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Send(values, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    return finish();
}
