/// Constants of the MPI library at hand: generated from its header.
#pragma once

#include <cstdint>
#include <span>

namespace mqinspect::tracer {

struct Constant {
    const char* name;
    std::int64_t value;
};
/// When the MPI library is known.
std::span<const Constant> constants();

/// "MPI_ERR_TRUNCATE"; empty if it has no name here.
const char* error_class_name(int error_class);

}  // namespace mqinspect::tracer
