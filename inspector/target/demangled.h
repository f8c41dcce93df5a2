/// Names of functions as their programmers know them.
#pragma once

#include <string>
#include <string_view>

namespace mqinspect::target {

/// Of a symbol of C++ (Itanium C++ ABI, 5.1) the qualified name, without the parameters, as
/// debuggers show it; any other one as it is.
std::string demangled(std::string_view symbol);

}  // namespace mqinspect::target
