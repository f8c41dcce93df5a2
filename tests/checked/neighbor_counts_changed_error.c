/* Rank 0 changes what a nonblocking exchange with neighbours should receive before that is
 * complete, rank 1 the large counts of another one.
 *
 *   ranks: 2
 *   find: error | pending buffer access | 0 | MPI_Ineighbor_allgatherv LINE(gather)
 *   find: error | pending buffer access | 1 | MPI_Ineighbor_alltoallv_c LINE(exchange)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int size = 2, periodic = 1;
    int out[2] = {rank, rank}, in[2] = {0};
    int counts[2] = {1, 1}, places[2] = {0, 1};
    MPI_Count large[2] = {1, 1};
    MPI_Aint offsets[2] = {0, 1};
    MPI_Comm ring;
    MPI_Request request;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    MPI_Ineighbor_allgatherv(out, 1, MPI_INT, in, counts, places, MPI_INT, ring, &request);  // @gather
    if (rank == 0) places[0] = 1;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Ineighbor_alltoallv_c(out, large, offsets, MPI_INT, in, large, offsets, MPI_INT, ring,  // @exchange
                              &request);
    if (rank == 1) large[1] = 2;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&ring);
    return finish();
}
