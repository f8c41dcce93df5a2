/// What went wrong, on standard error, in the words of the source: with file, line and its text,
/// which a helper program (mqinspect itself) reads from the debug information.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracer/log/procedure.h"

namespace mqinspect::tracer {

/// For signal handlers. `addresses`: the stack, innermost first.
void explain_signal(
    int number, int code, std::uint64_t address, const std::uint64_t* addresses, std::size_t count);

/// `text`: what the MPI library says of the error. `argument`: the one that is incorrect, null: not
/// known; `value`: as it was recorded.
void explain_error(const char* call,
                   const Parameter* argument,
                   std::int64_t value,
                   const char* text,
                   const std::uint64_t* addresses,
                   std::size_t count);

}  // namespace mqinspect::tracer
