/// What an expression such as `a ? b : c` may have one of several values for.
#pragma once

#include <functional>

#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

/// Whether the assignments to a temporary of the compiler are of different values.
bool is_choice(tree temporary,
               const VariableUse& use,
               const std::function<Value(const Located&)>& value_of);

/// One value that can't be told, but is the same for all threads of the team, if they all choose
/// the same. Else Unknown.
Value chosen_value(Gathering& gathering,
                   Callees& callees,
                   SourceWalk& source,
                   const VariableUse& choice);

}  // namespace mqinspect::thread_level::plugin
