/* Each rank of a ring starts everything before it waits.
 *
 *   ranks: 3
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int one = rank, two = 0;
    MPI_Request requests[2];
    const int left = (rank + 2) % 3, right = (rank + 1) % 3;
    MPI_Irecv(&two, 1, MPI_INT, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&one, 1, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    return finish();
}
