/// OTF2's words for collective operations.
#pragma once

#include <optional>
#include <otf2/otf2.h>
#include <string_view>

namespace mqinspect::trace_io {

/// Of a name without "MPI_": "Bcast", "Ibcast", "Comm_split". Empty: OTF2 has none.
std::optional<OTF2_CollectiveOp> collective_op(std::string_view name);

}  // namespace mqinspect::trace_io
