/* Rank 0 expects messages along an edge that rank 1 does not know of.
 *
 *   ranks: 3
 *   find: error | invalid argument | 0 1 | MPI_Dist_graph_create_adjacent LINE(make)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int sources[2] = {(rank + 2) % 3, (rank + 1) % 3};
    const int destinations[1] = {(rank + 1) % 3};
    MPI_Comm ring;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank == 0 ? 2 : 1, sources, MPI_UNWEIGHTED, 1, destinations, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);  // @make
    MPI_Comm_free(&ring);
    return finish();
}
