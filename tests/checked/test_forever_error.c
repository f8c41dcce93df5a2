/* Each rank tests for the message of the other before it sends its own.
 *
 *   ranks: 2
 *   stuck
 *   find: error | real deadlock | 0 1 | MPI_Test LINE(test)
 *   may: abort
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int mine = rank, theirs = 0, done = 0;
    MPI_Request request;
    MPI_Irecv(&theirs, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    while (!done)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);  // @test
    MPI_Send(&mine, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    return finish();
}
