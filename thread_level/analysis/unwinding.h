/// What would be destroyed on the way of an exception that nobody catches.
#pragma once

#include <optional>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

/// The unit in which such steps do nothing, and end as the process does; steps keep their numbers.
/// Nothing: it has none.
std::optional<Unit> without_unwinding(const Unit& unit);

}  // namespace mqinspect::thread_level
