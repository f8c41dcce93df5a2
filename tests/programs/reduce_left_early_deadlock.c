/* Rank 1 has done its part of a reduction and left it; rank 2 has not entered it.
 * The root waits for rank 2 alone.
 *
 * expect: deadlock
 * ranks: 3
 * core: 0 2
 * wait: 0 all 2 MPI_Reduce LINE(reduce)
 * wait: 2 all 0 MPI_Recv LINE(receive)
 * call: 1 MPI_Recv LINE(receive)
 * victim: 1 0
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = rank;
    int sum = 0;
    MPI_Status status;
    if (rank != 2) {
        MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);  // @reduce
    }
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);  // @receive
    return finish();
}
