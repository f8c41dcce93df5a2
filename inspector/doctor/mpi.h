/// Which MPI library a check is about.
#pragma once

#include <string>

#include "base/result.h"

namespace mqinspect::doctor {

/// The shared library in which `program` has MPI_Init, by asking the loader which files
/// it would load, without running the program. Empty if it has MPI_Init itself.
/// InvalidArgument: no program, or none that uses MPI.
Result<std::string> library_of_program(const std::string& program);

/// The library beside the first mpiexec in $PATH. InvalidArgument: there is none.
Result<std::string> library_of_path();

}  // namespace mqinspect::doctor
