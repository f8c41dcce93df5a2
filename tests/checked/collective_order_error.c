/* Rank 0 broadcasts and then reduces, rank 1 the other way round.
 *
 *   ranks: 2
 *   find: error | different collectives | 0 1
 *   find: warning | potential deadlock | 0 1 | MPI_Bcast LINE(bcast)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data[10] = {rank}, sum[10] = {0};
    if (rank == 0) {
        MPI_Bcast(data, 10, MPI_INT, 0, MPI_COMM_WORLD);  // @bcast
        MPI_Allreduce(data, sum, 10, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    } else {
        MPI_Allreduce(data, sum, 10, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Bcast(data, 10, MPI_INT, 0, MPI_COMM_WORLD);
    }
    return finish();
}
