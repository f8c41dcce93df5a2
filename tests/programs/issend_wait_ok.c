/* A synchronous send that is waited for; the receiver is late.
 *
 * expect: none
 * ranks: 2
 * running: 1
 * call: 0 MPI_Wait LINE(wait)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int peer = 1 - rank;
    int out = 1;
    int in = 0;
    MPI_Request request;
    MPI_Status status;
    MPI_Issend(&out, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &request);
    if (rank == 1) {
        compute_until_released();
        MPI_Recv(&in, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &status);
    }
    MPI_Wait(&request, &status);  // @wait
    if (rank == 0) {
        MPI_Recv(&in, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &status);
    }
    return finish();
}
