/* Rank 1 changes the displacements of a persistent exchange between two of its starts: what the
 * library does with them is up to it.
 *
 *   ranks: 2
 *   find: error | pending buffer access | 1 | MPI_Alltoallv_init LINE(init)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int out[2] = {rank, rank}, in[2] = {0};
    int counts[2] = {1, 1}, places[2] = {0, 1}, displacements[2] = {0, 1};
    MPI_Request request;
    MPI_Alltoallv_init(out, counts, places, MPI_INT, in, counts, displacements, MPI_INT,  // @init
                       MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int step = 0; step < 2; ++step) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (rank == 1 && step == 0) {
            displacements[0] = 1;
            displacements[1] = 0;
        }
    }
    MPI_Request_free(&request);
    return finish();
}
