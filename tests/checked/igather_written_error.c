/* Rank 0 writes to the receive buffer of a nonblocking gather of which it is the root.
 *
 *   ranks: 2
 *   find: error | pending buffer access | 0 | MPI_Igather LINE(gather)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank, all[2] = {0};
    MPI_Request request;
    MPI_Igather(&value, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);  // @gather
    if (rank == 0) all[0] = 7;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return finish();
}
