/* Rank 1 completes its MPI_Irecv with MPI_Waitsome.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank, count = 0, index = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank == 0) MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Waitsome(1, &request, &count, &index, MPI_STATUSES_IGNORE);
    return finish();
}
