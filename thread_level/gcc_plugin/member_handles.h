/// Communicators in members of objects: whether it is one and the same in all of them.
#pragma once

#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

/// Collects what the function that is prepared writes to such members.
void note_member_handles(Gathering& gathering, SourceWalk& source, Values& values);

}  // namespace mqinspect::thread_level::plugin
