/* In an exchange with neighbours one rank sends and receives numbers of another type.
 *
 *   ranks: 3
 *   find: error | wrong data type | 0 1 | MPI_Neighbor_allgather LINE(gather)
 *   find: warning | wrong data type | 1 | MPI_Neighbor_allgather LINE(gather)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int size = 3, periodic = 1;
    int mine[2] = {rank, rank}, theirs[4] = {0};
    MPI_Comm ring;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    const MPI_Datatype type = rank == 1 ? MPI_FLOAT : MPI_INT;
    MPI_Neighbor_allgather(mine, 2, type, theirs, 2, type, ring);  // @gather
    MPI_Comm_free(&ring);
    return finish();
}
