/* What exchanges with neighbours are given changes when they are complete, and behind the elements
 * that count.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int size = 2, periodic = 1;
    int out[2] = {rank, rank}, in[2] = {0};
    int counts[3] = {1, 1, 1}, places[3] = {0, 1, 2};
    MPI_Count large[3] = {1, 1, 1};
    MPI_Aint offsets[3] = {0, 1, 2};
    MPI_Comm ring;
    MPI_Request request;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    MPI_Ineighbor_allgatherv(out, 1, MPI_INT, in, counts, places, MPI_INT, ring, &request);
    counts[2] = places[2] = 7;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    places[0] = 1;
    MPI_Ineighbor_alltoallv_c(out, large, offsets, MPI_INT, in, large, offsets, MPI_INT, ring,
                              &request);
    large[2] = offsets[2] = 7;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    large[1] = 2;
    MPI_Comm_free(&ring);
    return finish();
}
