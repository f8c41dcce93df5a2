/// Arguments of calls that define something, or that ask about it: communicators, groups,
/// topologies, datatypes, windows, info objects. They are those that an MPI library may accept
/// although they make no sense, or that end it without a word.
#pragma once

#include <string>

#include "analysis/local/buffers.h"
#include "analysis/local/procedures.h"

namespace mqinspect::analysis {

/// What the call is given that is wrong, as the rest of "MPI_Comm_split is given ..."; empty: all
/// is right, or the call is none of these. `shape`: of its communicator.
std::string wrong_definition(const CallView& view,
                             const CommunicatorShape& shape,
                             const model::Execution& execution);

}  // namespace mqinspect::analysis
