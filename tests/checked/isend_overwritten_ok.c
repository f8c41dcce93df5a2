/* Rank 0 writes to its buffer behind MPI_Wait, and beside a pending send's elements before it.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data[10] = {0};
    if (rank == 0) {
        MPI_Request request;
        MPI_Isend(data, 5, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        data[5] = 10;
        data[9] = 11;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        data[0] = 12;
    } else {
        MPI_Recv(data, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return finish();
}
