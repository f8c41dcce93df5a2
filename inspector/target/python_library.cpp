#include "inspector/target/python_library.h"

namespace mqinspect::target {

bool is_python_library(std::string_view file) {
    constexpr std::string_view standard = "/lib/python3";
    if (file.starts_with("<frozen ")) return true;
    if (file.find("/mpi4py/") != std::string_view::npos) return true;
    return file.find(standard) != std::string_view::npos &&
           file.find("-packages/") == std::string_view::npos;
}

}  // namespace mqinspect::target
