/// What comes with Python and does for its caller what that asks for.
#pragma once

#include <string_view>

namespace mqinspect::target {

/// The source file belongs to Python's standard library, or to mpi4py; packages that were installed
/// beside these are the user's.
bool is_python_library(std::string_view file);

}  // namespace mqinspect::target
