/* A master waits for any worker; one group of workers is stuck, in the other one a
 * worker computes and can release the master.
 *
 * expect: deadlock
 * ranks: 4
 * core: 1 2
 * running: 3
 * wait: 1 all 2 MPI_Recv LINE(worker)
 * wait: 2 all 1 MPI_Recv LINE(worker)
 * call: 0 MPI_Recv LINE(master)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Status status;
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);  // @master
    } else if (rank == 3) {
        compute_until_released();
    } else {
        MPI_Recv(&value, 1, MPI_INT, 3 - rank, 2, MPI_COMM_WORLD, &status);  // @worker
    }
    return finish();
}
