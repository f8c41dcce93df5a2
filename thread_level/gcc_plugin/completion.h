/// The end of the unit: what only shows when all its functions are known.
#pragma once

#include "thread_level/gcc_plugin/callees.h"
#include "thread_level/gcc_plugin/gathering.h"

namespace mqinspect::thread_level::plugin {

/// Fills in what the symbol table knows of the functions, settles guards and levels that hang on
/// other functions, adds the variables, other names of functions, and drops what can't matter.
void complete(Gathering& gathering);

}  // namespace mqinspect::thread_level::plugin
