/* MPI_Allreduce of rank 1 gives its result to the buffer of a receive that is active.
 *
 *   ranks: 2
 *   find: error | overlapping | 1 | MPI_Allreduce LINE(allreduce)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data[4] = {0}, sum[4] = {0};
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank == 1) MPI_Irecv(sum, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Allreduce(data, sum, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);  // @allreduce
    if (rank == 0) MPI_Send(data, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return finish();
}
