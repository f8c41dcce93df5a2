/// Times as the protocol has them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace mqinspect::report::protocol {

/// Hours, minutes, seconds and microseconds since the start of the run: "00.00.02.006858".
inline std::string clock_text(std::int64_t ns) {
    const std::int64_t us = std::max<std::int64_t>(ns, 0) / 1000;
    const std::int64_t seconds = us / 1'000'000;
    return fmt::format(
        "{:02}.{:02}.{:02}.{:06}", seconds / 3600, seconds / 60 % 60, seconds % 60, us % 1'000'000);
}

}  // namespace mqinspect::report::protocol
