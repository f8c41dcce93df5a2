/// Steps that may follow others, or themselves.
#pragma once

#include <span>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

/// Whether some way of a function leads from behind `from` to `to`, and not by way of `without`.
bool leads_to(std::span<const Step> steps, StepId from, StepId to, StepId without = kNone);

/// Whether some way leads from `step` of a function back to it.
inline bool is_in_loop(std::span<const Step> steps, StepId step) {
    return leads_to(steps, step, step);
}

}  // namespace mqinspect::thread_level
