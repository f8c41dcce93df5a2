/// Threads of which there is one at a time, as a variable says: `if (!runs) { start; runs = 1; }`.
#pragma once

#include <set>
#include <utility>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

class Program;

/// Steps that start a thread only where a variable has some value that it is changed from right
/// behind or in front, and that it gets again right behind a join only. That is so for one thread
/// that comes to the steps again and again; that the join is for the thread in question is taken
/// for granted.
std::set<std::pair<FunctionId, StepId>> lone_starts(const Program& program);

}  // namespace mqinspect::thread_level
