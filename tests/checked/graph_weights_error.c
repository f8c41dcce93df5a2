/* Only one of the ranks that make a topology gives its edges weights.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_Dist_graph_create_adjacent LINE(make)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int peer = 1 - rank, weight = 3;
    const int* const weights = rank == 0 ? &weight : MPI_UNWEIGHTED;
    const MPI_Comm all = MPI_COMM_WORLD;
    const MPI_Info none = MPI_INFO_NULL;
    MPI_Comm ring;
    MPI_Dist_graph_create_adjacent(  // @make
        all, 1, &peer, weights, 1, &peer, weights, none, 0, &ring);
    MPI_Comm_free(&ring);
    return finish();
}
