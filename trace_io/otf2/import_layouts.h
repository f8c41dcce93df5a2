/// The parameters of the procedures that an import makes calls of.
#pragma once

#include <string_view>

#include "trace_io/otf2/event_import.h"

namespace mqinspect::trace_io {

/// Names are without "MPI_".
bool is_blocking_send(std::string_view name);
bool is_nonblocking_send(std::string_view name);
bool is_completion(std::string_view name);

/// Of sends and receives; `peer` is "dest" or "source".
ImportedParameters message_parameters(const char* peer, bool request, bool status);
ImportedParameters exchange_parameters();  ///< of MPI_Sendrecv
ImportedParameters completion_parameters(std::string_view name);
/// Of a blocking collective operation; empty: not one of those that are imported.
ImportedParameters collective_parameters(std::string_view name);

}  // namespace mqinspect::trace_io
