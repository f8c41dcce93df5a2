/// Variables that input or messages give a value to.
#pragma once

#include "thread_level/gcc_plugin/callees.h"

namespace mqinspect::thread_level::plugin {

/// The variable with static storage whose address is the call's argument of that position, if the
/// function, of MPI or of a language's library, writes a number from elsewhere there; else null.
tree filled_by(const gcall* call, unsigned position, const Callee& callee);

}  // namespace mqinspect::thread_level::plugin
