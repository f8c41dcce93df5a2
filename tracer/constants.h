/// Constants of the MPI library at hand: generated from its header.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mqinspect::tracer {

struct Constant {
    const char* name;
    std::int64_t value;
};
extern const Constant* const kConstants;
extern const std::size_t kConstantCount;

/// "MPI_ERR_TRUNCATE"; empty if it has no name here.
const char* error_class_name(int error_class);

}  // namespace mqinspect::tracer
