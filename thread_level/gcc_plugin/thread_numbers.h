/// Numbers that a program gives its own threads as it starts them: pthread_create() in a loop that
/// hands each a number, or an object with a number in it, and std::thread with the like.
#pragma once

#include "thread_level/gcc_plugin/source_walk.h"
#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

/// Value::Kind::Counted, or Unknown. `is_reference`: of C++'s threads, which copy what they refer
/// to.
Value counted_argument(Values& values, SourceWalk& source, tree argument, bool is_reference);

/// The member of what a parameter points to that `operand` is a copy of, as Value::Kind::Parameter
/// with a name; else Unknown. Of functions that threads may start with only: their parameter points
/// to anything, or is a lambda's object.
Value number_in_parameter(Values& values, tree operand, ContextId context);

}  // namespace mqinspect::thread_level::plugin
