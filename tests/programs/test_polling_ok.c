/* A rank polls with MPI_Test for a message that does not come; it could do
 * something else at any time, so the rank that waits for it is not deadlocked.
 *
 * expect: none
 * ranks: 2
 * running: 0
 * call: 1 MPI_Recv LINE(receive)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Status status;
    if (rank == 0) {
        int done = 0;
        MPI_Request request;
        MPI_Irecv(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &request);
        while (!done && !released()) {
            MPI_Test(&request, &done, &status);
        }
        int out = 1;
        MPI_Send(&out, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Wait(&request, &status);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);  // @receive
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    return finish();
}
