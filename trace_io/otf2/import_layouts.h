/// The parameters of the procedures that an import makes calls of.
#pragma once

#include <string_view>

#include "trace_io/otf2/event_import.h"

namespace mqinspect::trace_io {

/// Names are without "MPI_".
bool is_blocking_send(std::string_view name);
bool is_nonblocking_send(std::string_view name);
bool is_exchange(std::string_view name);
bool is_completion(std::string_view name);

/// Of sends and receives; `peer` is "dest" or "source".
ImportedParameters message_parameters(const char* peer, bool request, bool status);
/// Of MPI_Sendrecv, or of MPI_Sendrecv_replace.
ImportedParameters exchange_parameters(bool replaces);
ImportedParameters completion_parameters(std::string_view name);
/// Of a collective operation on a communicator.
ImportedParameters collective_parameters(std::string_view name);
/// Of what is about a window.
ImportedParameters window_parameters(std::string_view name);
/// Of any procedure that is imported. These three are empty for others.
ImportedParameters parameters_of(std::string_view name);

/// It begins what lets a window be accessed.
bool opens_epoch(std::string_view name);
/// MPI_Put and its kin.
bool is_access(std::string_view name);

}  // namespace mqinspect::trace_io
