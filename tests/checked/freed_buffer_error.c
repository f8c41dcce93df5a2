/* The buffer of a send is given back before the send is complete; its memory is used again.
 *
 *   ranks: 2
 *   find: error | pending buffer access | 0 1 | LINE(free)
 */
#include "tests/checked/checked.h"

enum { kMany = 1000 };

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    double* sent = calloc(kMany, sizeof *sent);
    MPI_Request request;
    MPI_Isend(sent, kMany, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &request);
    free(sent);  // @free
    double* received = calloc(kMany, sizeof *received);
    MPI_Recv(received, kMany, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    free(received);
    return finish();
}
