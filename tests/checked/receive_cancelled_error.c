/* Rank 1 cancels a receive for which no message comes.
 *
 *   ranks: 2
 *   find: warning | request cancel | 1 | MPI_Cancel LINE(cancel)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    if (rank == 1) {
        MPI_Request request;
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);  // @cancel
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    return finish();
}
