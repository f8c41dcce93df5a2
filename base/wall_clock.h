/// The time of day, as records have it.
#pragma once

#include <chrono>
#include <cstdint>

namespace mqinspect {

/// CLOCK_REALTIME in nanoseconds.
inline std::uint64_t wall_clock_ns() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
}

}  // namespace mqinspect
