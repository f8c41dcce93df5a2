/* Rank 1 gives 2 integers to a gather whose root expects 1 of each.
 *
 *   ranks: 2
 *   find: error | wrong recv size | 0 1 | MPI_Gather LINE(gather)
 *   may: MPI error
 *   may: abend
 *   may: abort
 *   may: incomplete call
 *   may: potential hang-up
 *   may: unfinished gop
 *   may: real hang-up
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data[2] = {rank}, all[4] = {0};
    MPI_Gather(data, 1 + rank, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);  // @gather
    return finish();
}
