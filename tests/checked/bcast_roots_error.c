/* Rank 0 takes itself for the root, rank 1 itself; the messages are short.
 *
 *   ranks: 2
 *   find: error | wrong root process | 0 1 | MPI_Bcast LINE(bcast)
 *   may: nonpaired send
 *   may: potential deadlock
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    MPI_Bcast(&value, 1, MPI_INT, rank, MPI_COMM_WORLD);  // @bcast
    return finish();
}
