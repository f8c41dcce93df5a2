/// Objects that a pointer, or a smart pointer, of all threads of a region is for.
#pragma once

#include <optional>
#include <string>

#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

/// The smart pointer, a variable, that `statement` gets the address of its object from; null: it is
/// something else.
tree owner_asked(gimple* statement);

/// Of what a local `pointer` points to, if that has handles of MPI in it, no locks, and is one
/// object for all threads of the team: the pointer is theirs, and the region does not write to it.
/// Else Unknown.
Value shared_holder(Values& values, SourceWalk& source, tree pointer, ContextId context);

/// Of a handle of MPI, or an array of such, in whatever object that is so; nothing: it is something
/// else.
std::optional<Value> shared_member(Values& values,
                                   SourceWalk& source,
                                   tree reference,
                                   const std::string& member,
                                   ContextId context);

/// Whether it is an array of handles of MPI, in an object that the function gets. `type`: of the
/// array, or of an element.
bool is_member_array(const Value& array, tree type);

/// Whether an argument points to an object that can be told: it is `&object`, a copy of that, or as
/// shared_holder() has it.
bool is_known_object(Values& values, SourceWalk& source, tree argument, ContextId context);

}  // namespace mqinspect::thread_level::plugin
