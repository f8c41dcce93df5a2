/// Steps that may follow themselves.
#pragma once

#include <span>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

/// Whether some way leads from `step` of a function back to it.
bool is_in_loop(std::span<const Step> steps, StepId step);

}  // namespace mqinspect::thread_level
