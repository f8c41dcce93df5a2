/// The arguments of a call as the program's text has them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mqinspect::report {

/// The call of `procedure` ("MPI_Send") that stands on a line of the source, or begins a few lines
/// before it and goes on there; `line` counts from 1. The arguments are without comments, line
/// breaks and outer spaces.
///
/// Empty: there is none, or more than one, or what is in the parentheses is not all here, as with
/// directives of the preprocessor. In Fortran neither case nor the form of the lines matters;
/// other words in front of the name ("P" of PMPI_Send, "CHECK_") make it another one.
std::optional<std::vector<std::string>> written_arguments(const std::vector<std::string>& lines,
                                                          int line,
                                                          std::string_view procedure,
                                                          bool fortran);

}  // namespace mqinspect::report
