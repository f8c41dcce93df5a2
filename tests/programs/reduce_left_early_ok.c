/* Rank 1 has done its part of a reduction, left it, and waits for the root; the
 * root waits for rank 2, which computes. Rank 1 and the root do not block each
 * other.
 *
 * expect: none
 * ranks: 3
 * running: 2
 * call: 0 MPI_Reduce LINE(reduce)
 * call: 1 MPI_Recv LINE(receive)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = rank;
    int sum = 0;
    MPI_Status status;
    if (rank == 2) {
        compute_until_released();
    }
    MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);  // @reduce
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);  // @receive
    }
    return finish();
}
