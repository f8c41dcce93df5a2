/* Rank 0 writes between the parts, and behind them, of what it gets in nonblocking collectives
 * with a count for each peer.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int counts[2] = {2, 2}, places[2] = {0, 2}, apart[2] = {0, 5}, bytes[2] = {0, 8};
    const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    int mine[4] = {rank, rank, rank, rank}, theirs[8] = {0};
    MPI_Request request;
    MPI_Ialltoallv(mine, counts, places, MPI_INT, theirs, counts, places, MPI_INT,
                   MPI_COMM_WORLD, &request);
    if (rank == 0) theirs[4] = 7;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Iallgatherv(mine, 2, MPI_INT, theirs, counts, apart, MPI_INT, MPI_COMM_WORLD,
                    &request);
    if (rank == 0) theirs[4] = 7;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Ialltoallw(mine, counts, bytes, types, theirs, counts, bytes, types,
                   MPI_COMM_WORLD, &request);
    if (rank == 0) theirs[4] = 8;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return finish();
}
