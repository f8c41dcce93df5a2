/* One rank does not start its part of a persistent collective operation.
 *
 *   ranks: 2
 *   stuck
 *   find: error | incomplete gop | 0 1 | MPI_Start LINE(start)
 *   may: abort
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int mine = rank, sum = 0;
    MPI_Request request;
    MPI_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    if (rank == 0) MPI_Start(&request);  // @start
    if (rank == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    return finish();
}
