/* Between its runs the program may do with the buffers of a persistent collective operation what
 * it likes.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int out[2] = {rank, rank};
    int in[2];
    MPI_Request exchange;
    MPI_Alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &exchange);
    for (int round = 0; round < 3; ++round) {
        out[0] = out[1] = round;
        MPI_Start(&exchange);
        MPI_Wait(&exchange, MPI_STATUS_IGNORE);
        in[0] = in[1] = 0;
    }
    MPI_Request_free(&exchange);
    out[0] = 7;
    return finish();
}
