/// Latches that are counted down only by who has waited for others.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "thread_level/analysis/program.h"

namespace mqinspect::thread_level {

/// Whether a function with these steps comes to `step` only where it has waited for the latch.
bool has_waited(std::span<const Step> steps, StepId step, StringId latch);

/// Of each latch that steps count down: others that are 1 by then, directly or not.
std::map<StringId, std::vector<StringId>> latches_before(const Program& program);

}  // namespace mqinspect::thread_level
