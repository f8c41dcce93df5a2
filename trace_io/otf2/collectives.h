/// OTF2's words for collective operations.
#pragma once

#include <optional>
#include <otf2/otf2.h>
#include <string>
#include <string_view>

namespace mqinspect::trace_io {

/// Of a name without "MPI_": "Bcast", "Ibcast", "Comm_split". Empty: OTF2 has none.
std::optional<OTF2_CollectiveOp> collective_op(std::string_view name);

/// True for those that move data, or nothing: from MPI_Barrier to MPI_Reduce_scatter_block.
constexpr bool is_data_collective(OTF2_CollectiveOp op) {
    return op <= OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK;
}

/// "Bcast". Precondition of this and of the next one: is_data_collective.
std::string collective_name(OTF2_CollectiveOp op);
/// "MPI_Ibcast".
std::string nonblocking_procedure(OTF2_CollectiveOp op);

}  // namespace mqinspect::trace_io
