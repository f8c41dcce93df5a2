/// Whether two threads have one and the same thing.
#pragma once

#include <cstdint>

namespace mqinspect::thread_level {

enum class Sameness : std::uint8_t { Unknown, Same, Different };

}  // namespace mqinspect::thread_level
