/* Rank 1 writes to its part of the result of a nonblocking reduction before that is complete.
 *
 *   ranks: 2
 *   find: error | pending buffer access | 1 | MPI_Ireduce_scatter LINE(reduce)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int counts[2] = {1, 2};
    int values[3] = {rank, 2, 3}, part[2] = {0, 0};
    MPI_Request request;
    const MPI_Comm all = MPI_COMM_WORLD;
    MPI_Ireduce_scatter(values, part, counts, MPI_INT, MPI_SUM, all, &request);  // @reduce
    if (rank == 1) part[1] = 7;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return finish();
}
