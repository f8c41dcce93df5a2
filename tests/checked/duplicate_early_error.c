/* A communicator is used while MPI_Comm_idup is still making it, as far as the program knows.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_Barrier LINE(use)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    MPI_Comm duplicate;
    MPI_Request request;
    MPI_Comm_idup(MPI_COMM_WORLD, &duplicate, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(duplicate);  // @use
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&duplicate);
    return finish();
}
