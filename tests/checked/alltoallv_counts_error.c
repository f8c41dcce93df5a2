/* What rank 1 receives from rank 0 is shorter than what rank 0 sends it.
 *
 *   ranks: 2
 *   find: error | wrong recv size | 0 1 | MPI_Alltoallv LINE(exchange)
 *   may: MPI error
 *   may: abend
 *   may: abort
 *   may: incomplete call
 *   may: potential hang-up
 *   may: real hang-up
 *   may: unfinished gop
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int out[4] = {rank}, in[4] = {0};
    const int counts[2] = {2, 2}, short_counts[2] = {1, 2}, places[2] = {0, 2};
    MPI_Alltoallv(out, counts, places, MPI_INT, in, rank == 1 ? short_counts : counts, places,  // @exchange
                  MPI_INT, MPI_COMM_WORLD);
    return finish();
}
