/* Rank 1 calls MPI_Abort.
 *
 *   ranks: 2
 *   find: error | abort | 1 | MPI_Abort LINE(abort)
 *   may: incomplete gop
 *   may: incomplete call
 *   may: real hang-up
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    if (rank == 1) MPI_Abort(MPI_COMM_WORLD, 3);  // @abort
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}
