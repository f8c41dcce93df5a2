/* What MPI_Isendrecv sends is changed before it is complete.
 *
 *   ranks: 2
 *   find: error | pending buffer access | 0 | LINE(store)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int out = rank, in = 0;
    MPI_Request request;
    MPI_Isendrecv(
        &out, 1, MPI_INT, 1 - rank, 0, &in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    if (rank == 0) out = 7;  // @store
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return finish() + (in < 0);
}
