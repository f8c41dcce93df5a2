/// Statements of Fortran that go on over several lines, of which compilers note the last one for a
/// call.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mqinspect::report {

/// Named like a source file of Fortran.
bool is_fortran_source(std::string_view file);

/// The first line of the statement that goes through this one; both count from 1. The form, fixed
/// or free, is the one that compilers take for a file with such a name. A line that is not there
/// is its own first one.
int first_line_of_statement(const std::vector<std::string>& lines, std::string_view file, int line);

}  // namespace mqinspect::report
