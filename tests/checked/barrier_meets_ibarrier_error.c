/* MPI_Barrier never matches MPI_Ibarrier (MPI 4.0, 6.12).
 *
 *   ranks: 2
 *   stuck
 *   find: error | different collectives | 0 1 | MPI_Barrier LINE(barrier)
 *   may: potential deadlock
 *   may: incomplete call
 *   may: unfinished gop
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    MPI_Request request;
    if (rank == 0) {
        MPI_Barrier(MPI_COMM_WORLD);  // @barrier
    } else {
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    return finish();
}
