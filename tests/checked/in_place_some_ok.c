/* All give MPI_IN_PLACE; at the root of a reduction only the root.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int sum = 1, value = 1;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : &value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Scan(rank == 0 ? MPI_IN_PLACE : &value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return finish();
}
