/// What a unit's facts can do without: functions and calls that lead to neither MPI nor threads,
/// and what nobody asks for.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "thread_level/gcc_plugin/gathering.h"

namespace mqinspect::thread_level::plugin {

using FunctionsBySymbol = std::unordered_map<StringId, FunctionId>;
FunctionsBySymbol by_symbol(const Unit& unit);

/// By what calls may name functions that the unit has and that do nothing.
using Symbols = std::unordered_set<StringId>;
Symbols idle_symbols(const Gathering& gathering);

void prune(Gathering& gathering, const Symbols& idle);

}  // namespace mqinspect::thread_level::plugin
