/* A line of ranks that all receive from both neighbours first; the ends have
 * MPI_PROC_NULL on one side.
 *
 * expect: deadlock
 * ranks: 3
 * core: 0 1 2
 * wait: 0 all 1 MPI_Waitall LINE(wait)
 * wait: 1 all 0,2 MPI_Waitall LINE(wait)
 * wait: 2 all 1 MPI_Waitall LINE(wait)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int left = rank == 0 ? MPI_PROC_NULL : rank - 1;
    int right = rank == 2 ? MPI_PROC_NULL : rank + 1;
    int values[2] = {0, 0};
    MPI_Request requests[2];
    MPI_Irecv(&values[0], 1, MPI_INT, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&values[1], 1, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);  // @wait
    MPI_Send(&rank, 1, MPI_INT, left, 0, MPI_COMM_WORLD);
    MPI_Send(&rank, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
    return finish();
}
