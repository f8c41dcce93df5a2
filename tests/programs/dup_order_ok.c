/* Barriers on two duplicates, the first one nonblocking, so that the order does
 * not matter; the second rank is late.
 *
 * expect: none
 * ranks: 2
 * running: 1
 * call: 0 MPI_Barrier LINE(barrier)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    MPI_Request request;
    MPI_Comm both[2];
    MPI_Comm_dup(MPI_COMM_WORLD, &both[0]);
    MPI_Comm_dup(MPI_COMM_WORLD, &both[1]);
    MPI_Ibarrier(both[0], &request);
    if (rank == 1) {
        compute_until_released();
    }
    MPI_Barrier(both[1]);  // @barrier
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return finish();
}
