/* Rank 0 writes behind its part of the result of a nonblocking reduction before that is complete.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int counts[2] = {1, 2};
    int values[3] = {rank, 2, 3}, part[2] = {0, 0};
    MPI_Request request;
    MPI_Ireduce_scatter(values, part, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    if (rank == 0) part[1] = 7;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return finish();
}
