/* Rank 0 gives MPI_IN_PLACE, which all have to do or none.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_Allreduce LINE(place)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int sum = 1, value = 1;
    if (rank == 0)
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);  // @place
    else
        MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return finish();
}
