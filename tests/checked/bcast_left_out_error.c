/* Rank 1 frees the communicator without the broadcast of the others; the root does not notice.
 *
 *   ranks: 2
 *   find: error | incomplete gop | 0 1 | MPI_Bcast LINE(bcast)
 *   may: potential hang-up
 *   may: potential deadlock
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    MPI_Comm row;
    int value = rank;
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &row);
    if (rank == 0) MPI_Bcast(&value, 1, MPI_INT, 0, row);  // @bcast
    MPI_Comm_free(&row);
    return finish();
}
