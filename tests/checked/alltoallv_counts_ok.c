/* Different counts for different peers, that agree.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int out[4] = {rank}, in[4] = {0};
    const int from_0[2] = {2, 1}, from_1[2] = {1, 2}, places[2] = {0, 2};
    MPI_Alltoallv(out, rank == 0 ? from_0 : from_1, places, MPI_INT, in, rank == 0 ? from_0 : from_1,
                  places, MPI_INT, MPI_COMM_WORLD);
    return finish();
}
