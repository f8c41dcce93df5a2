#include "tracer/handles/topology.h"

namespace mqinspect::tracer {
namespace {

void read_cartesian(MPI_Comm communicator, Arena& memory, Topology& topology) {
    topology.name = "cartesian";
    pmpi.Cartdim_get(communicator, &topology.dimensions);
    auto* ranks = memory.take_array<int>(2 * static_cast<std::size_t>(topology.dimensions));
    if (ranks == nullptr) return;
    int* next = ranks;
    for (int i = 0; i < topology.dimensions; ++i, next += 2)
        pmpi.Cart_shift(communicator, i, 1, next, next + 1);
    topology.sources = topology.destinations = 2 * topology.dimensions;
    topology.source_ranks = topology.destination_ranks = ranks;
}

void read_graph(MPI_Comm communicator, int rank, Arena& memory, Topology& topology) {
    topology.name = "graph";
    int count = 0;
    pmpi.Graph_neighbors_count(communicator, rank, &count);
    auto* ranks = memory.take_array<int>(static_cast<std::size_t>(count));
    if (ranks == nullptr) return;
    pmpi.Graph_neighbors(communicator, rank, count, ranks);
    topology.sources = topology.destinations = count;
    topology.source_ranks = topology.destination_ranks = ranks;
}

void read_distributed_graph(MPI_Comm communicator, Arena& memory, Topology& topology) {
    topology.name = "distributed graph";
    int in = 0;
    int out = 0;
    int weighted = 0;
    pmpi.Dist_graph_neighbors_count(communicator, &in, &out, &weighted);
    const auto count = static_cast<std::size_t>(in) + static_cast<std::size_t>(out);
    auto* ranks = memory.take_array<int>(2 * count);
    if (ranks == nullptr) return;
    int* weights = ranks + count;
    pmpi.Dist_graph_neighbors(communicator, in, ranks, weights, out, ranks + in, weights + in);
    topology.sources = in;
    topology.destinations = out;
    topology.source_ranks = ranks;
    topology.destination_ranks = ranks + in;
}

}  // namespace

Topology topology_of(MPI_Comm communicator, int rank, Arena& memory) {
    Topology topology;
    int kind = MPI_UNDEFINED;
    pmpi.Topo_test(communicator, &kind);
    if (kind == MPI_CART) read_cartesian(communicator, memory, topology);
    if (kind == MPI_GRAPH) read_graph(communicator, rank, memory, topology);
    if (kind == MPI_DIST_GRAPH) read_distributed_graph(communicator, memory, topology);
    return topology;
}

}  // namespace mqinspect::tracer
