/// Locks, and objects that have locks, which functions return by pointer or reference. What such a
/// function returns is known at the end of the unit only, as its caller may come first. Until then
/// values have a name for what the call returns, and speak of one or the other element of that.
#pragma once

#include <optional>

#include "thread_level/gcc_plugin/source_walk.h"
#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

/// Whether values of `type` point to a lock, or to an object of a class.
bool points_to_object(tree type);

/// What `call` returns a pointer to. `variable`: what it is where that is another object at each
/// call. Nothing: the call returns no such pointer.
std::optional<Value> returned_object(Values& values,
                                     const gcall* call,
                                     ContextId context,
                                     const Value& variable);
/// What the lock guard `guard`, a variable that a call has returned, holds.
std::optional<Value> returned_guard(Values& values, tree guard);
/// What a constructor has been handed, at that position, of the object that `variable` is, which a
/// call has returned.
std::optional<Value> handed_to_returned(Values& values, tree variable, unsigned position);
/// How `Gathering::results` calls that.
StringId name_of_handed(Gathering& gathering, tree function, unsigned position);
/// The number that `argument` is, or points to (in Fortran), if a function of the unit returns it.
std::optional<Value> returned_number(Values& values, tree argument);
/// The member `member` of what is returned.
std::optional<Value> member_of_returned(Gathering& gathering,
                                        const Value& object,
                                        const std::string& member);
/// What the function that GCC is at returns, if it is such a pointer, or a number and the function
/// does nothing else. Whether it has to be told to
/// other units.
bool note_result(Gathering& gathering, SourceWalk& source, Values& values);

/// At the end of the unit: puts what functions return in place of the names.
void settle_returned_objects(Gathering& gathering);

}  // namespace mqinspect::thread_level::plugin
