/* The displacements of a persistent exchange change when its request is freed, its buffers between
 * two of its starts.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int out[2] = {rank, rank}, in[2] = {0};
    int counts[2] = {1, 1}, places[2] = {0, 1}, displacements[2] = {0, 1};
    MPI_Request request;
    for (int round = 0; round < 2; ++round) {
        MPI_Alltoallv_init(out, counts, places, MPI_INT, in, counts, displacements, MPI_INT,
                           MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        for (int step = 0; step < 2; ++step) {
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            out[step] = in[1 - step];
        }
        MPI_Request_free(&request);
        displacements[0] = 1;
        displacements[1] = 0;
    }
    return finish();
}
