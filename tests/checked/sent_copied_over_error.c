/* The middle of a send's buffer is copied over before the send is complete.
 *
 *   ranks: 2
 *   find: error | send checksum | 0 | LINE(copy)
 */
#include <string.h>

#include "tests/checked/checked.h"

enum { kMany = 100 };

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    double numbers[2 * kMany] = {0}, next[kMany];
    MPI_Request request;
    for (int i = 0; i < kMany; ++i)
        next[i] = i + 1;
    if (rank == 0) {
        MPI_Isend(numbers, kMany, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &request);
        memcpy(numbers + kMany / 2, next, sizeof next / 2);  // @copy
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(numbers, kMany, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return finish();
}
