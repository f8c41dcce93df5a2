/* Waitall over a receive that is complete, a null request, a receive from
 * MPI_PROC_NULL and one receive that never completes.
 *
 * expect: deadlock
 * ranks: 3
 * core: 0 2
 * wait: 0 all 2 MPI_Waitall LINE(wait)
 * wait: 2 all 0 MPI_Recv LINE(receive)
 * call: 1 MPI_Recv LINE(receive)
 * victim: 1 0
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int values[3] = {0, 0, 0};
    MPI_Status status;
    if (rank == 0) {
        MPI_Request requests[4];
        MPI_Irecv(&values[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[0]);
        requests[1] = MPI_REQUEST_NULL;
        MPI_Irecv(&values[1], 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &requests[2]);
        MPI_Irecv(&values[2], 1, MPI_INT, 2, 1, MPI_COMM_WORLD, &requests[3]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);  // @wait
    } else {
        if (rank == 1) {
            MPI_Send(values, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        }
        MPI_Recv(values, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);  // @receive
    }
    return finish();
}
