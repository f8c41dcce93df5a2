/* A send's buffer is changed and restored once the send is complete.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    volatile int numbers[4] = {1, 2, 3, 4};
    MPI_Request request;
    if (rank == 0) {
        MPI_Isend((void*)numbers, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        numbers[1] = 7;
        numbers[1] = 2;
    } else {
        MPI_Recv((void*)numbers, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return finish();
}
