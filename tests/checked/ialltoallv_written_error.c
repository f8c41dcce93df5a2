/* Rank 0 writes to what it gets from rank 1 in nonblocking collectives with a count for each peer.
 *
 *   ranks: 2
 *   find: error | pending buffer access | 0 | MPI_Ialltoallv LINE(alltoallv)
 *   find: error | pending buffer access | 0 | MPI_Iallgatherv LINE(allgatherv)
 *   find: error | pending buffer access | 0 | MPI_Ialltoallw LINE(alltoallw)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int counts[2] = {2, 2}, places[2] = {0, 2}, apart[2] = {0, 5}, bytes[2] = {0, 8};
    const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    int mine[4] = {rank, rank, rank, rank}, theirs[8] = {0};
    MPI_Request request;
    MPI_Ialltoallv(mine, counts, places, MPI_INT, theirs, counts, places, MPI_INT,  // @alltoallv
                   MPI_COMM_WORLD, &request);
    if (rank == 0) theirs[3] = 7;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Iallgatherv(mine, 2, MPI_INT, theirs, counts, apart, MPI_INT, MPI_COMM_WORLD,  // @allgatherv
                    &request);
    if (rank == 0) theirs[5] = 7;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Ialltoallw(mine, counts, bytes, types, theirs, counts, bytes, types,  // @alltoallw
                   MPI_COMM_WORLD, &request);
    if (rank == 0) theirs[2] = 8;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return finish();
}
