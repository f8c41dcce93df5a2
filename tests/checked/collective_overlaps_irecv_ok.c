/* MPI_Allreduce reads what a pending send reads, too.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data[4] = {0}, sum[4] = {0};
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank == 1) MPI_Isend(data, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Allreduce(data, sum, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(data, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return finish();
}
