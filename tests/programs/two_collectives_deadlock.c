/* Two nonblocking collective operations under way on one communicator, of which one rank has
 * started neither. The others wait for one of them each.
 *
 * expect: deadlock
 * ranks: 3
 * core: 0 2
 * wait: 0 all 2 MPI_Wait LINE(second)
 * wait: 2 all 0 MPI_Recv LINE(receive)
 * call: 1 MPI_Wait LINE(first)
 * victim: 1 2
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = rank;
    int sum = 0;
    MPI_Request barrier;
    MPI_Request reduction;
    if (rank == 2) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @receive
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
