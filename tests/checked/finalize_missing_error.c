/* Rank 1 calls exit without MPI_Finalize.
 *
 *   ranks: 2
 *   find: error | missing finalize | 1 | LINE(exit)
 *   may: abort
 *   may: incomplete gop
 *   may: incomplete call
 *   may: real hang-up
 *   may: abend
 */
#include "tests/checked/checked.h"

static inline void finalize(void) {
    MPI_Finalize();
}

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    if (rank == 1) exit(0); // @exit
    return finish();
}
