/// Lambdas that refer to one object of a class of the program: `this`, or a variable. What their
/// operator() gets first stands for that object, so that who uses its members outside of the lambda
/// is known to use the same.
#pragma once

#include "thread_level/gcc_plugin/source_walk.h"

namespace mqinspect::thread_level::plugin {

/// Whether it is what operator() of a lambda gets first.
bool is_closure(tree parameter);
/// The member of a lambda's class that refers to the object; null: there is none, or are several.
tree only_object_in(tree class_type);
/// In the lambda: whether `reference` is that member of its own object.
bool is_captured_object(tree reference);
/// Where a lambda is made, by the address of it or the variable: what the member is set to. Null:
/// it is no such lambda, or that is not known.
tree captured_by(SourceWalk& source, tree lambda);

}  // namespace mqinspect::thread_level::plugin
