/// What happened right before a run was ended from outside.
#pragma once

#include <algorithm>
#include <cstdint>

namespace mqinspect::analysis {

/// Nanoseconds before the end of a run in which what happens shows that it was under way: two
/// seconds, of short runs a quarter. `end_ns`: since the run began.
inline std::int64_t moment_before_end(std::int64_t end_ns) {
    constexpr std::int64_t most_ns = 2'000'000'000;
    return std::min(most_ns, end_ns / 4);
}

}  // namespace mqinspect::analysis
