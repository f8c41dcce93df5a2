/* Rank 2 goes to MPI_Finalize without the barrier that the others are in.
 *
 *   ranks: 3
 *   stuck
 *   find: error | incomplete gop | 0 1 2 | MPI_Barrier LINE(barrier)
 *   may: incomplete call
 *   may: abort
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    if (rank != 2) MPI_Barrier(MPI_COMM_WORLD);  // @barrier
    return finish();
}
