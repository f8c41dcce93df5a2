/* Edges to nodes that a graph does not have, and a weight below zero.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_Graph_create LINE(edges)
 *   find: error | invalid argument | 0 1 | MPI_Dist_graph_create_adjacent LINE(weight)
 *   find: error | invalid argument | 0 1 | MPI_Dist_graph_create LINE(rank)
 *   may: MPI error
 *   may: leaked communicator
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int index[2] = {1, 2};
    const int edges[2] = {1, 2};
    const int other = 1 - rank;
    const int weight = -3;
    const int one = 1;
    const int beyond = 2;
    MPI_Comm graph = MPI_COMM_NULL;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 0, &graph);  // @edges
    if (graph != MPI_COMM_NULL) MPI_Comm_free(&graph);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &other, &weight,  // @weight
                                   1, &other, &weight, MPI_INFO_NULL, 0, &graph);
    if (graph != MPI_COMM_NULL) MPI_Comm_free(&graph);
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &one, &beyond, &one,  // @rank
                          MPI_INFO_NULL, 0, &graph);
    return finish();
}
