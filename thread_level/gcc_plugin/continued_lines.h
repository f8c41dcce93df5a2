/// Statements of Fortran that go on in further lines.
#pragma once

#include "thread_level/gcc_plugin/gcc.h"

namespace mqinspect::thread_level::plugin {

/// In the line where the statement begins that `location` is in: gfortran has the place of its end.
/// The same if that line can't be told, and in other languages.
location_t begin_of_statement(location_t location);

}  // namespace mqinspect::thread_level::plugin
