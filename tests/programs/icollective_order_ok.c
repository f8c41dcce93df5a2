/* Two nonblocking collectives started in one order and waited for in the other.
 *
 * expect: none
 * ranks: 2
 * running: 1
 * call: 0 MPI_Wait LINE(broadcast)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = rank;
    int part = rank;
    int sum = 0;
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Request requests[2];
    MPI_Status status;
    if (rank == 1) {
        compute_until_released();
    }
    MPI_Iallreduce(&part, &sum, 1, MPI_INT, MPI_SUM, world, &requests[0]);
    MPI_Ibcast(&value, 1, MPI_INT, 1, world, &requests[1]);
    if (rank == 0) {
        MPI_Wait(&requests[1], &status);  // @broadcast
        MPI_Wait(&requests[0], &status);
    } else {
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    return finish();
}
