/// Functions of the program that return whether they have got a lock. Behind a branch on such a
/// result stands a call of a function that does not exist in the source, and takes that lock.
#pragma once

#include <optional>
#include <string>

#include "thread_level/gcc_plugin/gathering.h"

namespace mqinspect::thread_level::plugin {

/// What the function of that symbol takes where its result is not 0, or 0, is a function of this
/// name.
std::string name_of_try(const std::string& symbol, bool is_zero);
/// x == 0 and x != 0, and the negations of a truth value: nothing if `statement` is none of them;
/// else whether its left side is true where the operand, its first one, is 0.
std::optional<bool> negates(gimple* statement);

/// At the end of the unit: adds those functions, and drops calls of others.
void add_tries(Gathering& gathering);

}  // namespace mqinspect::thread_level::plugin
