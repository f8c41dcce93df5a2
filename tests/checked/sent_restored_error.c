/* A send's buffer is changed and restored before the send is complete: nobody sees what was sent.
 *
 *   ranks: 2
 *   find: error | pending buffer access | 0 | LINE(store)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    volatile int numbers[4] = {1, 2, 3, 4};
    MPI_Request request;
    if (rank == 0) {
        MPI_Isend((void*)numbers, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        numbers[1] = 7;  // @store
        numbers[1] = 2;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv((void*)numbers, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return finish();
}
