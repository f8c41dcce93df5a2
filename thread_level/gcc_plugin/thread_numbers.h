/// Numbers that a program gives its own threads as it starts them: pthread_create() in a loop that
/// hands each a number, or an object with a number in it, and std::thread with the like.
#pragma once

#include "thread_level/gcc_plugin/source_walk.h"
#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

/// What `operand` is a copy of. `may_scale`: or a multiple, as offsets are.
tree origin_of(Values& values, tree operand, bool may_scale = false);

/// Of an argument of a call that starts a thread: Value::Kind::Counted, or Unknown. `is_reference`:
/// C++'s threads copy what it refers to.
Value counted_argument(
    Values& values, SourceWalk& source, const gcall* start, unsigned position, bool is_reference);

/// Of such an argument that points to an object with such a number: its other members that have one
/// value in the objects of all threads that the call starts, as Value::Kind::SameForAll.
std::vector<Value> common_members(Values& values,
                                  SourceWalk& source,
                                  const gcall* start,
                                  unsigned position);

/// Of the one argument of a call, a pointer: what numbers the object has that it points to. Each is
/// Value::Kind::Counted and is_shared, with the name of the member unless the object is a number.
std::vector<Value> numbers_pointed_to(Values& values, SourceWalk& source, const gcall* call);

/// The member of what a parameter points to that `operand` is a copy of, as Value::Kind::Parameter
/// with a name; else Unknown. `of_any`: not only of functions that threads may start with, of which
/// the parameter points to anything, or is a lambda's object.
Value number_in_parameter(Values& values, tree operand, ContextId context, bool of_any);

}  // namespace mqinspect::thread_level::plugin
