/* Sends in ready mode before the receives are certain to be posted: one comes by chance after it.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_Rsend LINE(send)
 */
#include <unistd.h>

#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        usleep(300000);
        MPI_Rsend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);  // @send
    } else {
        MPI_Request request;
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    return finish();
}
