/* Two collectives in one order; the root has left the first and waits in the
 * second for a rank that computes between the two.
 *
 * expect: none
 * ranks: 2
 * running: 1
 * call: 0 MPI_Allreduce LINE(reduce)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = rank;
    int sum = 0;
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 1) {
        compute_until_released();
    }
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);  // @reduce
    return finish();
}
