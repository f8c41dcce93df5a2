/// Locks that a function makes on the heap, and that it puts into members of objects.
#pragma once

#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

/// The function that GCC is at writes `pointer` to a member, as `write` has it, where it is the
/// lock `name`, for all functions.
void note_made_lock(
    Gathering& gathering, Values& values, StringId name, tree pointer, gimple* write);

/// Once GCC has the graph of the function: what it makes anew for each member is none of one lock.
void lose_locks_of_each(Gathering& gathering, tree function);

}  // namespace mqinspect::thread_level::plugin
