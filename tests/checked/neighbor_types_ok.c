/* All neighbours exchange integers.
 *
 *   ranks: 3
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int size = 3, periodic = 1;
    int mine[2] = {rank, rank}, theirs[4] = {0};
    MPI_Comm ring;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    const MPI_Datatype type = MPI_INT;
    MPI_Neighbor_allgather(mine, 2, type, theirs, 2, type, ring);
    MPI_Comm_free(&ring);
    return finish();
}
