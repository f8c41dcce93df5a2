/// What went wrong, on standard error, in the words of the source: with file, line and its text,
/// which a helper program (mqinspect itself) reads from the debug information.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mqinspect::tracer {

/// For signal handlers. `addresses`: the stack, innermost first.
void explain_signal(
    int number, int code, std::uint64_t address, const std::uint64_t* addresses, std::size_t count);

/// `text`: what the MPI library says of the error.
void explain_error(const char* call,
                   const char* argument,
                   std::int64_t value,
                   const char* text,
                   const std::uint64_t* addresses,
                   std::size_t count);

}  // namespace mqinspect::tracer
