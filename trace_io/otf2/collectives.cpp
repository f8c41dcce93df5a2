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
    {"Comm_split", OTF2_COLLECTIVE_OP_CREATE_HANDLE},
    {"Comm_free", OTF2_COLLECTIVE_OP_DESTROY_HANDLE},
    {"Win_create", OTF2_COLLECTIVE_OP_CREATE_HANDLE},
    {"Win_allocate", OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE},
};

}  // namespace

std::optional<OTF2_CollectiveOp> collective_op(std::string_view name) {
    std::string blocking(name);
    if (name.size() > 1 && name[0] == 'I') {
        blocking = name.substr(1);
        blocking[0] = static_cast<char>(blocking[0] - 'a' + 'A');
    }
    const auto* const found = std::ranges::find(kNames, std::string_view(blocking), &Name::name);
    if (found == std::end(kNames)) return std::nullopt;
    return found->op;
}

}  // namespace mqinspect::trace_io
