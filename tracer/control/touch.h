/// An access of the program to memory that is guarded.
#pragma once

#include <cstdint>

namespace mqinspect::tracer {

struct Touch {
    /// Unknown: the processor has told no more than that there was one.
    enum class Kind { Unknown, Load, Store };

    std::uint64_t address = 0;
    std::uint64_t bytes = 1;
    Kind kind = Kind::Unknown;
};

}  // namespace mqinspect::tracer
