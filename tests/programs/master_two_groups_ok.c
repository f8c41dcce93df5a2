/* A master waits for any worker; in both groups one worker waits for another that
 * computes.
 *
 * expect: none
 * ranks: 5
 * running: 2 4
 * call: 0 MPI_Recv LINE(master)
 * call: 1 MPI_Recv LINE(worker)
 * call: 3 MPI_Recv LINE(worker)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Status status;
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);  // @master
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
    } else if (rank % 2 == 0) {
        compute_until_released();
        MPI_Send(&value, 1, MPI_INT, rank - 1, 2, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, rank + 1, 2, MPI_COMM_WORLD, &status);  // @worker
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    return finish();
}
