/// Parameters that are handed the number of the thread, or whether that is 0, by all who call the
/// function: a guard below that asks for them asks for the thread.
#pragma once

#include <unordered_map>

#include "thread_level/analysis/program.h"

namespace mqinspect::thread_level {

/// Of the guards that ask for such a parameter.
std::unordered_map<const Region*, ResolvedCondition> conditions_on_handed_numbers(
    const Program& program);

/// What functions are handed that they write to members, by member. Constants that are written say
/// nothing.
std::unordered_map<StringId, KeptNumber> numbers_kept(const Program& program);

}  // namespace mqinspect::thread_level
