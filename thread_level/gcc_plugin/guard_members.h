/// Guards that are members or bases of others: of the C++ library, each like a member that points
/// to the lock, and of the program. See lock_members.h.
#pragma once

#include "thread_level/gcc_plugin/source_walk.h"
#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

/// What the function that GCC is at hands to their constructors.
void note_guard_members(Gathering& gathering, const SourceWalk& source, Values& values);
/// The lock of the library's guard at `self`, if that is a member of the method's own object;
/// else Unknown.
Value member_guard_lock(Values& values, tree self);
/// Of a function that returns an object with a guard: what it makes that with.
void note_returned_constructor(Gathering& gathering, const SourceWalk& source, Values& values);
/// Of a call of a member, of an object that a call has returned, or that is a part of the method's
/// own one: what the constructor of that has been handed.
void add_handed_arguments(Values& values, const LocatedCall& at, std::vector<Value>& arguments);

}  // namespace mqinspect::thread_level::plugin
