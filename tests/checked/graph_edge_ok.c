/* Each edge is known at both of its ends: a ring, and an edge twice.
 *
 *   ranks: 3
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int sources[2] = {(rank + 2) % 3, (rank + 2) % 3};
    const int destinations[2] = {(rank + 1) % 3, (rank + 1) % 3};
    const int value = rank;
    int values[2];
    MPI_Comm ring;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank == 0 ? 2 : 1, sources, MPI_UNWEIGHTED, rank == 2 ? 2 : 1, destinations, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
    MPI_Neighbor_allgather(&value, 1, MPI_INT, values, 1, MPI_INT, ring);
    MPI_Comm_free(&ring);
    return finish();
}
