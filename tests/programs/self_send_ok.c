/* A rank sends synchronously to itself with the receive posted.
 *
 * expect: finishes
 * ranks: 2
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int in = 0;
    int out = 1;
    MPI_Request request;
    MPI_Irecv(&in, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &request);
    MPI_Ssend(&out, 1, MPI_INT, rank, 1, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return finish();
}
