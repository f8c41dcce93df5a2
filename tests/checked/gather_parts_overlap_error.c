/* The root of MPI_Gatherv receives into parts of its buffer that share an integer.
 *
 *   ranks: 3
 *   find: error | overlapping | 0 | MPI_Gatherv LINE(gather)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int own[3] = {rank}, all[9] = {0};
    const int counts[3] = {3, 3, 3}, places[3] = {0, 2, 6};
    MPI_Gatherv(own, 3, MPI_INT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD);  // @gather
    return finish();
}
