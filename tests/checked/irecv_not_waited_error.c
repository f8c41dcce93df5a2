/* Rank 1 never completes its MPI_Irecv, for which there is a message.
 *
 *   ranks: 2
 *   find: error | unfinished recv | 1 | MPI_Irecv LINE(irecv)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank == 0) MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);  // @irecv
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}
