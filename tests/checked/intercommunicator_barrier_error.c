/* A barrier of two groups, of which one member does not call it.
 *
 *   ranks: 3
 *   stuck
 *   find: error | incomplete gop | 0 1 2 | MPI_Barrier LINE(barrier)
 *   may: abort
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    MPI_Comm half, both;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &both);
    if (rank != 2) MPI_Barrier(both);  // @barrier
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    return finish();
}
