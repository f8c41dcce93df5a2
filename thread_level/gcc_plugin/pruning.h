/// What a unit's facts can do without: functions and calls that lead to neither MPI nor threads,
/// and what nobody asks for.
#pragma once

#include <unordered_map>

#include "thread_level/gcc_plugin/gathering.h"

namespace mqinspect::thread_level::plugin {

using FunctionsBySymbol = std::unordered_map<StringId, FunctionId>;
FunctionsBySymbol by_symbol(const Unit& unit);

void prune(Gathering& gathering);

}  // namespace mqinspect::thread_level::plugin
