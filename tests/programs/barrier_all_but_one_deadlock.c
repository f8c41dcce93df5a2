/* All ranks but one have entered a barrier; the last one waits for one of them.
 *
 * expect: deadlock
 * ranks: 4
 * core: 1 3
 * wait: 1 all 3 MPI_Barrier LINE(barrier)
 * wait: 3 all 1 MPI_Recv LINE(receive)
 * call: 0 MPI_Barrier LINE(barrier)
 * call: 2 MPI_Barrier LINE(barrier)
 * victim: 0 3
 * victim: 2 3
 * hint: 1 all members but rank 3
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Status status;
    if (rank == 3) {
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &status);  // @receive
    }
    MPI_Barrier(MPI_COMM_WORLD);  // @barrier
    return finish();
}
