/// Threads of which there is one at a time, as a variable says: `if (!runs) { start; runs = 1; }`.
#pragma once

#include <map>
#include <utility>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

class Program;

struct LoneStart {
    /// If a lock is held at the start, it is held from where the variable is asked to where it is
    /// changed: then several threads may come to the steps.
    bool is_under_one_hold = false;
};

/// Steps that start a thread only where a variable has some value that it is changed from right
/// behind or in front, and that it gets again right behind a join only. That is so for one thread
/// that comes to the steps again and again; that the join is for the thread in question is taken
/// for granted.
std::map<std::pair<FunctionId, StepId>, LoneStart> lone_starts(const Program& program);

}  // namespace mqinspect::thread_level
