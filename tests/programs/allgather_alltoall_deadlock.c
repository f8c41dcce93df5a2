/* One rank is in MPI_Allgather, the other in MPI_Alltoall.
 *
 * expect: deadlock
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Allgather LINE(gather)
 * wait: 1 all 0 MPI_Alltoall LINE(exchange)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int out[2] = {rank, rank};
    int in[2] = {0, 0};
    if (rank == 0) {
        MPI_Allgather(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);  // @gather
    } else {
        MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);  // @exchange
    }
    return finish();
}
