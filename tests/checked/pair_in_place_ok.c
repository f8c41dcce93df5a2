/* What MPI_Sendrecv has no MPI_IN_PLACE for, MPI_Sendrecv_replace does.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int number = rank;
    const int other = 1 - rank;
    MPI_Sendrecv_replace(
        &number, 1, MPI_INT, other, 0, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return finish();
}
