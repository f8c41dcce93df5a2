/// Headers of libraries whose functions are compiled into programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "inspector/target/image.h"
#include "model/call.h"

namespace mqinspect::target {

/// Of a standard library of C++, or of MPI's bindings for C++ (MPICH, Open MPI): what they do they
/// do for their caller.
bool is_library_header(std::string_view file);

/// The innermost of the calls whose bodies hold the instruction that stands in no such header.
/// Empty: there is none.
std::optional<model::SourceLocation> outside_library_headers(const Image& image,
                                                             std::uint64_t address);

}  // namespace mqinspect::target
