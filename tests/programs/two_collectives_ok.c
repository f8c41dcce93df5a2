/* Two nonblocking collective operations under way on one communicator, which one rank starts late.
 *
 * expect: none
 * ranks: 3
 * running: 2
 * call: 0 MPI_Wait LINE(second)
 * call: 1 MPI_Wait LINE(first)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = rank;
    int sum = 0;
    MPI_Request barrier;
    MPI_Request reduction;
    if (rank == 2) {
        compute_until_released();
    }
    MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &reduction);
    if (rank == 0) {
        MPI_Wait(&reduction, MPI_STATUS_IGNORE);  // @second
    }
    MPI_Wait(&barrier, MPI_STATUS_IGNORE);  // @first
    MPI_Wait(&reduction, MPI_STATUS_IGNORE);
    return finish();
}
