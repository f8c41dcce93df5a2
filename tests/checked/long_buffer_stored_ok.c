/* The middle of a receive's long buffer is stored to when it is complete.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

enum { kMany = 1 << 18 };

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int* numbers = calloc(kMany, sizeof *numbers);
    MPI_Request request;
    if (rank == 0) {
        MPI_Irecv(numbers, kMany, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        numbers[kMany / 2] = 7;
    } else {
        MPI_Send(numbers, kMany, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    free(numbers);
    return finish();
}
