/// What the branches around the start of a thread say of the number that it is handed.
#pragma once

#include <cstdint>

#include "thread_level/gcc_plugin/source_walk.h"
#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

/// The lowest number that `counter`, which is counted up from `first`, has at `start`: as in
/// `if (i != 0)` around that.
std::int64_t first_past_branches(
    Values& values, SourceWalk& source, const gimple* start, tree counter, std::int64_t first);

}  // namespace mqinspect::thread_level::plugin
