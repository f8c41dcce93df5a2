/* A prefix reduction for which rank 0 is late.
 *
 * expect: none
 * ranks: 3
 * running: 0
 * call: 1 MPI_Scan LINE(scan)
 * call: 2 MPI_Scan LINE(scan)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = rank;
    int sum = 0;
    if (rank == 0) {
        compute_until_released();
    }
    MPI_Scan(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);  // @scan
    return finish();
}
