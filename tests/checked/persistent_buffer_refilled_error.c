/* The buffers of persistent collective operations are the program's only while these do not run.
 *
 *   ranks: 2
 *   find: error | pending buffer access | 0 1 | MPI_Start LINE(start)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int out[2] = {rank, rank};
    int in[2];
    MPI_Request exchange;
    MPI_Alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &exchange);
    for (int round = 0; round < 2; ++round) {
        MPI_Start(&exchange);  // @start
        if (round == 1) out[0] = out[1] = 7;
        MPI_Wait(&exchange, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&exchange);
    return finish();
}
