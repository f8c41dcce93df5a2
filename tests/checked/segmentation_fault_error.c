/* Rank 1 writes to a null pointer; rank 0 is in the barrier.
 *
 *   ranks: 2
 *   find: error | abend | 1 | LINE(write)
 *   may: incomplete gop
 *   may: incomplete call
 *   may: real hang-up
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    volatile int* volatile nowhere = NULL;
    if (rank == 1) *nowhere = argc;  // @write
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}
