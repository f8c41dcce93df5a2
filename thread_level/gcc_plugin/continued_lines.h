/// Where statements of Fortran are.
#pragma once

#include "thread_level/gcc_plugin/gcc.h"

namespace mqinspect::thread_level::plugin {

/// In the line where the statement begins that `location` is in: gfortran has the place of its end.
/// The same if that line can't be told, and in other languages.
location_t begin_of_statement(location_t location);

/// Where the source has the call. Behind what is said to be set by it, gfortran gives it the place
/// of what is around the statement.
location_t location_of(const gcall* call);

/// Where the source has the construct. With expressions in its clauses, gfortran gives it the place
/// of the last statement in it.
location_t location_of_construct(const gimple* construct);

}  // namespace mqinspect::thread_level::plugin
