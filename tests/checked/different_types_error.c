/* Rank 0 sends 4 floats, rank 1 receives 4 integers.
 *
 *   ranks: 2
 *   find: error | wrong data type | 0 1 | MPI_Recv LINE(recv)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    float data[4] = {0};
    int numbers[4] = {0};
    if (rank == 0) MPI_Send(data, 4, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(numbers, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @recv
    return finish();
}
