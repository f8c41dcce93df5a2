/* MPI_Request_get_status says that a send, or a receive, is complete: the buffers may be used, and
 * requests freed (MPI 4.0, 3.7.6).
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

static void ask(MPI_Request request) {
    int flag = 0;
    while (!flag) MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int values[2] = {1, 2};
    MPI_Request requests[2];
    if (rank == 0) {
        MPI_Isend(&values[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&values[1], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[1]);
    } else {
        MPI_Irecv(&values[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&values[1], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[1]);
    }
    ask(requests[0]);
    values[0] += 7;
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    ask(requests[1]);
    values[1] += 7;
    MPI_Request_free(&requests[1]);
    return finish();
}
