/* Rank 0 takes itself for the root of a nonblocking broadcast, rank 1 itself.
 *
 *   ranks: 2
 *   find: error | wrong root process | 0 1 | MPI_Ibcast LINE(bcast)
 *   may: nonpaired send
 *   may: potential deadlock
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    MPI_Request request;
    MPI_Ibcast(&value, 1, MPI_INT, rank, MPI_COMM_WORLD, &request);  // @bcast
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return finish();
}
