/* All ranks that make a topology give their edges weights, and one has no edges.
 *
 *   ranks: 3
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int peer = 1 - rank, weight = 3;
    const int degree = rank < 2 ? 1 : 0;
    const int* const weights = degree > 0 ? &weight : MPI_WEIGHTS_EMPTY;
    const MPI_Comm all = MPI_COMM_WORLD;
    const MPI_Info none = MPI_INFO_NULL;
    MPI_Comm ring;
    MPI_Dist_graph_create_adjacent(
        all, degree, &peer, weights, degree, &peer, weights, none, 0, &ring);
    MPI_Comm_free(&ring);
    return finish();
}
