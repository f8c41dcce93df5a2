/* A small Isend is complete before its receive: Wait returns, the program ends.
 *
 * expect: finishes
 * ranks: 2
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int peer = 1 - start(&argc, &argv);
    int out = 1;
    int in = 0;
    MPI_Request request;
    MPI_Status status;
    MPI_Isend(&out, 1, MPI_INT, peer, 3, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);
    MPI_Recv(&in, 1, MPI_INT, peer, 3, MPI_COMM_WORLD, &status);
    return finish();
}
