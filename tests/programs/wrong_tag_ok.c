/* A message with another tag is there first; the right one follows.
 *
 * expect: none
 * ranks: 2
 * running: 0
 * call: 1 MPI_Recv LINE(receive)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Status status;
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, 41, MPI_COMM_WORLD);
        compute_until_released();
        MPI_Send(&value, 1, MPI_INT, 1, 42, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 42, MPI_COMM_WORLD, &status);  // @receive
        MPI_Recv(&value, 1, MPI_INT, 0, 41, MPI_COMM_WORLD, &status);
    }
    return finish();
}
