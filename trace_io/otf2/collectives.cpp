#include "trace_io/otf2/collectives.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace mqinspect::trace_io {
namespace {

struct Name {
    std::string_view name;
    OTF2_CollectiveOp op;
};

constexpr Name kNames[] = {
    {"Barrier", OTF2_COLLECTIVE_OP_BARRIER},
    {"Bcast", OTF2_COLLECTIVE_OP_BCAST},
    {"Gather", OTF2_COLLECTIVE_OP_GATHER},
    {"Gatherv", OTF2_COLLECTIVE_OP_GATHERV},
    {"Scatter", OTF2_COLLECTIVE_OP_SCATTER},
    {"Scatterv", OTF2_COLLECTIVE_OP_SCATTERV},
    {"Allgather", OTF2_COLLECTIVE_OP_ALLGATHER},
    {"Allgatherv", OTF2_COLLECTIVE_OP_ALLGATHERV},
    {"Alltoall", OTF2_COLLECTIVE_OP_ALLTOALL},
    {"Alltoallv", OTF2_COLLECTIVE_OP_ALLTOALLV},
    {"Alltoallw", OTF2_COLLECTIVE_OP_ALLTOALLW},
    {"Allreduce", OTF2_COLLECTIVE_OP_ALLREDUCE},
    {"Reduce", OTF2_COLLECTIVE_OP_REDUCE},
    {"Reduce_scatter", OTF2_COLLECTIVE_OP_REDUCE_SCATTER},
    {"Reduce_scatter_block", OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK},
    {"Scan", OTF2_COLLECTIVE_OP_SCAN},
    {"Exscan", OTF2_COLLECTIVE_OP_EXSCAN},
    {"Comm_create", OTF2_COLLECTIVE_OP_CREATE_HANDLE},
    {"Comm_dup", OTF2_COLLECTIVE_OP_CREATE_HANDLE},
    {"Comm_dup_with_info", OTF2_COLLECTIVE_OP_CREATE_HANDLE},
    {"Comm_split", OTF2_COLLECTIVE_OP_CREATE_HANDLE},
    {"Comm_split_type", OTF2_COLLECTIVE_OP_CREATE_HANDLE},
    {"Cart_create", OTF2_COLLECTIVE_OP_CREATE_HANDLE},
    {"Cart_sub", OTF2_COLLECTIVE_OP_CREATE_HANDLE},
    {"Graph_create", OTF2_COLLECTIVE_OP_CREATE_HANDLE},
    {"Dist_graph_create", OTF2_COLLECTIVE_OP_CREATE_HANDLE},
    {"Dist_graph_create_adjacent", OTF2_COLLECTIVE_OP_CREATE_HANDLE},
    {"Intercomm_create", OTF2_COLLECTIVE_OP_CREATE_HANDLE},
    {"Intercomm_merge", OTF2_COLLECTIVE_OP_CREATE_HANDLE},
    {"Comm_free", OTF2_COLLECTIVE_OP_DESTROY_HANDLE},
    {"Comm_disconnect", OTF2_COLLECTIVE_OP_DESTROY_HANDLE},
};

}  // namespace

std::optional<OTF2_CollectiveOp> collective_op(std::string_view name) {
    const auto* found = std::ranges::find(kNames, name, &Name::name);
    if (found == std::end(kNames) && name.size() > 1 && name[0] == 'I') {
        std::string blocking(name.substr(1));
        blocking[0] = static_cast<char>(blocking[0] - 'a' + 'A');
        found = std::ranges::find(kNames, std::string_view(blocking), &Name::name);
    }
    if (found == std::end(kNames)) return std::nullopt;
    return found->op;
}

std::string collective_name(OTF2_CollectiveOp op) {
    return std::string(std::ranges::find(kNames, op, &Name::op)->name);
}

std::string nonblocking_procedure(OTF2_CollectiveOp op) {
    std::string name = collective_name(op);
    name[0] = static_cast<char>(name[0] - 'A' + 'a');
    return "MPI_I" + name;
}

}  // namespace mqinspect::trace_io
