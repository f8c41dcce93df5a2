/* The request of MPI_Comm_idup is completed before its communicator is freed.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    MPI_Comm duplicate;
    MPI_Request request;
    MPI_Comm_idup(MPI_COMM_WORLD, &duplicate, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&duplicate);
    return finish();
}
