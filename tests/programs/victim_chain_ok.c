/* A chain of waiting ranks that leads to one that computes.
 *
 * expect: none
 * ranks: 4
 * running: 3
 * call: 0 MPI_Recv LINE(receive)
 * call: 1 MPI_Recv LINE(receive)
 * call: 2 MPI_Recv LINE(receive)
 * sentence: rank 3
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Status status;
    if (rank == 3) {
        compute_until_released();
    } else {
        MPI_Recv(&value, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, &status);  // @receive
    }
    if (rank > 0) {
        MPI_Send(&value, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD);
    }
    return finish();
}
