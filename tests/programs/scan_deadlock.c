/* A prefix reduction: rank 0 is missing and waits for the last rank.
 *
 * expect: deadlock
 * ranks: 3
 * core: 0 2
 * wait: 0 all 2 MPI_Recv LINE(receive)
 * wait: 2 all 0 MPI_Scan LINE(scan)
 * call: 1 MPI_Scan LINE(scan)
 * victim: 1 0
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = rank;
    int sum = 0;
    MPI_Status status;
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &status);  // @receive
    }
    MPI_Scan(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);  // @scan
    return finish();
}
