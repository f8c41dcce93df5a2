/* The counts of exchanges change when those are complete; at others than the root of a gather they
 * mean nothing, and the counts of what is sent mean nothing with MPI_IN_PLACE.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int out[2] = {rank, rank}, in[2] = {0};
    int counts[2] = {1, 1}, places[2] = {0, 1}, unused[2] = {7, 7};
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    int bytes[2] = {0, sizeof(int)};
    MPI_Request request;
    for (int step = 0; step < 2; ++step) {
        MPI_Ialltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD,
                       &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        counts[0] = counts[1] = step;
    }
    MPI_Igatherv(&rank, 1, MPI_INT, in, counts, places, MPI_INT, 0, MPI_COMM_WORLD, &request);
    if (rank != 0) counts[1] = places[1] = 0;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    counts[1] = places[1] = 1;
    MPI_Ialltoallv(MPI_IN_PLACE, unused, unused, MPI_INT, in, counts, places, MPI_INT,
                   MPI_COMM_WORLD, &request);
    unused[0] = 8;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Ialltoallw(out, counts, bytes, types, in, counts, bytes, types, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    types[0] = MPI_FLOAT;
    return finish();
}
