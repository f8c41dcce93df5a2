/* The root broadcasts 4 integers, rank 1 expects 3.
 *
 *   ranks: 2
 *   find: error | wrong recv size | 0 1 | MPI_Bcast LINE(bcast)
 *   may: MPI error
 *   may: abend
 *   may: abort
 *   may: incomplete call
 *   may: unfinished gop
 *   may: potential hang-up
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data[4] = {rank};
    if (rank == 0)
        MPI_Bcast(data, 4, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Bcast(data, 3, MPI_INT, 0, MPI_COMM_WORLD);  // @bcast
    return finish();
}
