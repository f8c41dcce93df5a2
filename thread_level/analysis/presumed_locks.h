/// Functions of other units that may be a lock, by the look of their calls: one in front of a call
/// of MPI, another one behind it, on all ways. The compiler can't tell; the link step can.
#pragma once

#include <vector>

#include "thread_level/analysis/exclusion.h"

namespace mqinspect::thread_level {

class Program;

/// What is held at each step of the function if such are locks; empty: nothing anywhere.
std::vector<ExclusionSet> presumed_locks(const Program& program,
                                         FunctionId function,
                                         Exclusions& exclusions);

}  // namespace mqinspect::thread_level
