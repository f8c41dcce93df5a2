/* The root of a reduction waits for a rank that waits for a message of the root.
 *
 * expect: deadlock
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Reduce LINE(reduce)
 * wait: 1 all 0 MPI_Recv LINE(receive)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = rank;
    int sum = 0;
    MPI_Status status;
    if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);  // @receive
    }
    MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);  // @reduce
    return finish();
}
