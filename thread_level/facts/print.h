/// Facts as text, for people and tests: one line a region, step and variable.
#pragma once

#include <string>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

std::string print(const Unit& unit);
std::string print(const Unit& unit, const Function& function);
/// As in "global comm1", "parameter 2", "MPI_COMM_WORLD", "?".
std::string print(const Unit& unit, const Value& value);

}  // namespace mqinspect::thread_level
