/// Units of random functions: nested constructs, branches, loops, all kinds of steps.
#pragma once

#include <cstdint>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

/// One seed gives one unit. Functions call each other, those of other seeds, and libraries.
Unit random_unit(std::uint32_t seed);

}  // namespace mqinspect::thread_level
