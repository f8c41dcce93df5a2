/// The values of a recorded call, as the MPI standard spells them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/run_profile.h"
#include "model/execution.h"

namespace mqinspect::report {

/// "MPI_Send(buf=0x7ffc10, count=3, datatype=MPI_INT, ...)".
std::string call_text(const model::Execution& execution, const analysis::KeptCall& call);

/// One value of a parameter: "MPI_ANY_SOURCE", "[1, 2, 3]". Displacements are numbers unless they
/// are addresses; numbers that have a name in the run's MPI library, such as lock types, have it.
std::string value_text(const model::Execution& execution,
                       const model::Parameter& parameter,
                       const std::vector<std::int64_t>& values);

}  // namespace mqinspect::report
