/* Broadcasts from one root after the other; the second root is late.
 *
 * expect: none
 * ranks: 2
 * running: 1
 * call: 0 MPI_Bcast LINE(second)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = rank;
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 1) {
        compute_until_released();
    }
    MPI_Bcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD);  // @second
    return finish();
}
