/* Rank 0 waits in the third barrier, rank 1 has left its loop after the second.
 *
 *   ranks: 2
 *   stuck
 *   find: error | incomplete gop | 0 1 | MPI_Barrier LINE(barrier)
 *   may: incomplete call
 *   may: abort
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    for (int i = 0; i < 3 - rank; ++i)
        MPI_Barrier(MPI_COMM_WORLD);  // @barrier
    return finish();
}
