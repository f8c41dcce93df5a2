/// Fortran's type-bound procedures, which gfortran calls through tables: records "__vtype_T" with a
/// field for each binding, and for each type a variable with the procedures in these.
#pragma once

#include <string>

#include "thread_level/gcc_plugin/gathering.h"

namespace mqinspect::thread_level::plugin {

/// "table::binding" of a procedure that is taken from a table; empty: `reference` is none.
std::string binding_key(tree reference);

/// Adds to the functions the bindings that may mean them. Those of which only tables have the
/// address can't be called through other pointers.
void add_bindings(Gathering& gathering);

}  // namespace mqinspect::thread_level::plugin
