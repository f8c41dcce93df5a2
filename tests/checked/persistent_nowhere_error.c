/* Persistent requests at the ends of a row of processes; one that is no end's is started again
 * without having been completed.
 *
 *   ranks: 2
 *   find: error | invalid argument | 1 | MPI_Startall LINE(again)
 *   may: nonpaired recv
 *   may: wrong request free
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int numbers[2] = {0};
    MPI_Request requests[2];
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);

    MPI_Recv_init(
        &numbers[0], 1, MPI_INT, rank - 1 < 0 ? MPI_PROC_NULL : 0, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(
        &numbers[1], 1, MPI_INT, rank == 0 ? 1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Startall(2, requests);
    if (rank == 1) MPI_Startall(1, requests);  // @again
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 2; ++i)
        MPI_Request_free(&requests[i]);
    return finish();
}
