/* Rank 1 gives a nonblocking gather a receive buffer, which means nothing there, and writes to it.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank, all[2] = {0};
    MPI_Request request;
    MPI_Igather(&value, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    if (rank == 1) all[0] = 7;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return finish();
}
