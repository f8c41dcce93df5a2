/// Barriers of the C and C++ libraries, at which threads wait that the program starts itself.
#pragma once

#include <unordered_set>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

class Program;

/// Those that are for as many threads as wait at them, as far as is known.
std::unordered_set<StringId> shared_barriers(const Program& program);

}  // namespace mqinspect::thread_level
