/// Arguments of which a program has one value for all threads, such as the rank of the process that
/// a region hands to a function.
#pragma once

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

class Program;

/// Whether all calls of the function hand over one and the same: a constant, a static variable that
/// no team writes to, or a variable of one function that all threads of a team have in common.
/// Those that are not known may hand over anything.
bool is_common_argument(const Program& program, FunctionId function, std::int64_t position);

}  // namespace mqinspect::thread_level
