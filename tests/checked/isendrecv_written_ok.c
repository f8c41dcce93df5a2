/* What MPI_Isendrecv sends is changed, and what it receives is read, when it is complete.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int out = rank, in = 0;
    MPI_Request request;
    MPI_Isendrecv(
        &out, 1, MPI_INT, 1 - rank, 0, &in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    out = in + 7;
    MPI_Isendrecv_replace(&out, 1, MPI_INT, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return finish() + (out < 0);
}
