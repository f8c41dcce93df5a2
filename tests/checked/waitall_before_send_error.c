/* Each rank of a ring waits for the message of its neighbour before it sends its own.
 *
 *   ranks: 3
 *   stuck
 *   find: error | real deadlock | 0 1 2 | MPI_Waitall LINE(wait)
 *   may: abort
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int one = rank, two = 0;
    MPI_Request requests[2];
    const int left = (rank + 2) % 3, right = (rank + 1) % 3;
    MPI_Irecv(&two, 1, MPI_INT, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Waitall(1, requests, MPI_STATUSES_IGNORE);  // @wait
    MPI_Isend(&one, 1, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    return finish();
}
