/// What happened right before a run was ended from outside, or is looked at.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "model/execution.h"

namespace mqinspect::analysis {

/// Nanoseconds before the end of a run in which what happens shows that it was under way: two
/// seconds, of short runs a quarter. `end_ns`: since the run began.
inline std::int64_t moment_before_end(std::int64_t end_ns) {
    constexpr std::int64_t most_ns = 2'000'000'000;
    return std::min(most_ns, end_ns / 4);
}

/// Of a call that has not returned, after what is said of it.
inline std::string_view under_way_text(const model::Execution& execution) {
    const bool goes_on = std::ranges::any_of(
        execution.processes, [](const auto& process) { return process.termination.running; });
    return goes_on ? " The run is under way." : " The run was ended while it was under way.";
}

}  // namespace mqinspect::analysis
