/// MPI procedures whose address is taken, which whoever has that may call, and std::thread::join().
/// To the analysis each is a function of the unit, with nothing in it but the call. Of C and C++:
/// in Fortran interfaces are what is handed over.
#pragma once

#include "thread_level/gcc_plugin/gathering.h"

namespace mqinspect::thread_level::plugin {

/// What a call through a pointer to `function` calls: as Gathering::symbol(), but for procedures of
/// MPI, which programs may have under their own names, too.
StringId symbol_behind_pointer(Gathering& gathering, tree function);

/// Of all that the unit's symbol table knows of, as the last of its functions.
void add_pointed_procedures(Gathering& gathering);

}  // namespace mqinspect::thread_level::plugin
