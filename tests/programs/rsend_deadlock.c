/* A ready send has been matched; the next receive of the same kind never is.
 *
 * expect: deadlock
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Recv LINE(receive)
 * wait: 1 all 0 MPI_Recv LINE(receive)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int peer = 1 - start(&argc, &argv);
    int in = 0;
    int out = 1;
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(&in, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Rsend(&out, 1, MPI_INT, peer, 1, MPI_COMM_WORLD);
    MPI_Wait(&request, &status);
    MPI_Recv(&in, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, &status);  // @receive
    return finish();
}
