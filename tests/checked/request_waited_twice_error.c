/* Rank 0 waits for the copy of a request that is complete.
 * 
 *   ranks: 2
 *   find: error | use after free | 0 | MPI_Wait LINE(again)
 *   may: nonpaired recv
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    MPI_Request request, copy;
    int value = 0;
    const int rank = start(&argc, &argv);
    if (rank == 0) {
        MPI_Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        copy = request;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Wait(&copy, MPI_STATUS_IGNORE);  // @again
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return finish();
}
