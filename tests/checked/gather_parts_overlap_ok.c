/* MPI_Gatherv into parts that touch, in another order; MPI_Allgather in place.
 *
 *   ranks: 3
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int own[3] = {rank}, all[9] = {0};
    const int counts[3] = {3, 3, 3}, places[3] = {6, 0, 3};
    MPI_Gatherv(own, 3, MPI_INT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 3, MPI_INT, MPI_COMM_WORLD);
    return finish();
}
