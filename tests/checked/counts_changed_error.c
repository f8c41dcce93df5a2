/* Rank 0 changes the counts of a nonblocking exchange before that is complete.
 *
 *   ranks: 2
 *   find: error | pending buffer access | 0 | MPI_Ialltoallv LINE(exchange)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int out[2] = {rank, rank}, in[2] = {0};
    int counts[2] = {1, 1}, places[2] = {0, 1};
    MPI_Request request;
    MPI_Ialltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD,  // @exchange
                   &request);
    if (rank == 0) counts[1] = 0;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return finish();
}
