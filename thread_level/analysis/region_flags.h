/// Variables that say that a team is at work: `in_region = 1` in front of a parallel region, and
/// `if (in_region) return;` in a function that is called in there.
#pragma once

#include <optional>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

class Program;

/// The unit, with a guard for Condition::NotInParallel around what a function comes to only where a
/// variable is not what it is in each parallel region that the function is called in, from its
/// start to its end. Places, functions and steps stay what they are; regions get other numbers.
/// Nothing if there is no such function.
std::optional<Unit> with_region_flags(const Program& program);

}  // namespace mqinspect::thread_level
