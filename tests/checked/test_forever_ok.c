/* Each rank sends before it tests for the message of the other.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int mine = rank, theirs = 0, done = 0;
    MPI_Request request;
    MPI_Irecv(&theirs, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    MPI_Send(&mine, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    while (!done)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    return finish();
}
