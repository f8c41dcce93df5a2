/// Threads of which there is one at a time, whichever thread starts it: `if (!worker.joinable())`
/// is asked by the main thread before there are others.
#pragma once

#include <set>
#include <utility>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

class Program;

/// Guards that find_no_thread(), and that no two threads come to while there is no thread: those
/// that the main thread starts, or that are in a team, do so behind where it has come to the guard.
std::set<std::pair<FunctionId, RegionId>> single_guards(const Program& program);

}  // namespace mqinspect::thread_level
