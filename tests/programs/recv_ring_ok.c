/* A ring whose rank 0 sends first, but computes before that.
 *
 * expect: none
 * ranks: 3
 * running: 0
 * call: 1 MPI_Recv LINE(receive)
 * call: 2 MPI_Recv LINE(receive)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int size = world_size();
    int left = (rank + size - 1) % size;
    int value = rank;
    MPI_Status status;
    if (rank == 0) {
        compute_until_released();
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    MPI_Recv(&value, 1, MPI_INT, left, 0, MPI_COMM_WORLD, &status);  // @receive
    if (rank != 0) {
        MPI_Send(&value, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
    }
    return finish();
}
