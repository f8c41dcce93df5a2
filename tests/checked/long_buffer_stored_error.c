/* The middle of a receive's long buffer is stored to too early: it is too long to be compared.
 *
 *   ranks: 2
 *   find: error | pending buffer access | 0 | LINE(store)
 */
#include "tests/checked/checked.h"

enum { kMany = 1 << 18 };

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int* numbers = calloc(kMany, sizeof *numbers);
    MPI_Request request;
    if (rank == 0) {
        MPI_Irecv(numbers, kMany, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        numbers[kMany / 2] = 7;  // @store
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(numbers, kMany, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    free(numbers);
    return finish();
}
