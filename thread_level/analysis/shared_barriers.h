/// Barriers of the C and C++ libraries, at which threads wait that the program starts itself.
#pragma once

#include <unordered_map>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

class Program;

/// By variable: what all those are called together at which the same threads wait, which pass them
/// in one order; 0: there is no other such one. No variable has that name.
using SharedBarriers = std::unordered_map<StringId, StringId>;

/// Those that are for as many threads as wait at them, as far as is known.
SharedBarriers shared_barriers(const Program& program);

}  // namespace mqinspect::thread_level
