/* Rank 1 loads from what is being received: a copy of it, in a function of its own, and a part of a
 * long one in the middle.
 *
 *   ranks: 2
 *   find: error | pending buffer access | 1 | LINE(copied)
 *   find: error | pending buffer access | 1 | LINE(added)
 */
#include <string.h>

#include "tests/checked/checked.h"

enum { kLong = 3000 };
double copy[6];

static int sum_of(const int* numbers) {
    return numbers[kLong / 2] + numbers[kLong / 2 + 1];  // @added
}

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int* const numbers = calloc(kLong, sizeof(int));
    double few[6] = {1, 2, 3};
    MPI_Request requests[2];
    if (rank == 0) {
        MPI_Send(few, 6, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        MPI_Send(numbers, kLong, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(few, 6, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(numbers, kLong, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[1]);
        memcpy(copy, few, sizeof few);  // @copied
        numbers[0] = sum_of(numbers) + (copy[0] > 0);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    free(numbers);
    return finish();
}
