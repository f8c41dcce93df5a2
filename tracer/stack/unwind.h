/// Finding the callers of a frame from the unwind tables of the machine code (.eh_frame).
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracer/log/site.h"

/// Where in the program this function was called, and the stack pointer there.
#define MQT_CALLER                                                \
    reinterpret_cast<std::uint64_t>(__builtin_return_address(0)), \
        reinterpret_cast<std::uint64_t>(__builtin_dwarf_cfa())

namespace mqinspect::tracer {

/// The callers of a frame of the calling thread, innermost first. The frame is that which goes on
/// at `address`; with `stack_pointer` unequal 0, where the stack pointer is this there. A stack
/// that is broken ends where it cannot be followed.
std::size_t unwind(std::uint64_t address,
                   std::uint64_t stack_pointer,
                   Frame* frames,
                   std::size_t most);

/// Where the function begins that the address, of a return into it, is in; 0: not known.
std::uint64_t begin_of_function(std::uint64_t address);

/// Behind the last `ret` of the function that the address is in; 0: not known.
std::uint64_t end_of_function(std::uint64_t address);

}  // namespace mqinspect::tracer
