/// Communicators in members of objects, and in variables that each thread has for itself: whether
/// it is one and the same in all of them.
#pragma once

#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

/// Of C and C++.
bool is_communicator(tree type);

/// Of a variable that each thread has for itself: Element with its name until the unit ends, if it
/// is a communicator; of one that others may write for good. Else Unknown.
Value own_handle(Gathering& gathering, tree variable);
/// At the end of the unit: what is written to such, if that is one and the same for all.
void settle_own_handles(Gathering& gathering);

/// Before it: what members get that functions are handed, as constructors are.
void settle_handed_handles(Gathering& gathering);

/// Collects what the function that is prepared writes to such members and variables.
void note_member_handles(Gathering& gathering, SourceWalk& source, Values& values);

}  // namespace mqinspect::thread_level::plugin
