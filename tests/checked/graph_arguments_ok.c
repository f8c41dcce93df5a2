/* Graphs with edges to oneself, with nodes without edges, with weights and without.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int index[2] = {0, 2};
    const int edges[2] = {1, 0};
    const int other = 1 - rank;
    const int weight = 0;
    const int one = 1;
    MPI_Comm graph;
    MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 0, &graph);
    MPI_Comm_free(&graph);
    MPI_Dist_graph_create_adjacent(
        MPI_COMM_WORLD, 1, &other, &weight, 1, &other, &weight, MPI_INFO_NULL, 0, &graph);
    MPI_Comm_free(&graph);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &other, MPI_UNWEIGHTED, 1, &other,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Comm_free(&graph);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_WEIGHTS_EMPTY, 0, NULL,
                                   MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &graph);
    MPI_Comm_free(&graph);
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &one, &other, &one, MPI_INFO_NULL, 0, &graph);
    MPI_Comm_free(&graph);
    return finish();
}
