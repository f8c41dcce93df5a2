/// Threads that hand the turn on by a variable, from its first value on.
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

class Program;

/// Variables, and what they are when a function starts, and until it writes to them.
using FirstTurns = std::vector<std::pair<StringId, std::uint32_t>>;

/// Of functions that one thread executes, by the only one call that starts it, if that thread alone
/// writes to a variable from there on.
std::unordered_map<FunctionId, FirstTurns> first_turns_of(const Program& program);

}  // namespace mqinspect::thread_level
