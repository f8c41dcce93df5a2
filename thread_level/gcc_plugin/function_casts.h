/// Functions that are called by way of a pointer to functions of another type, as pointers are
/// cast:
/// `(void (*)(struct shape*))draw_circle`.
#pragma once

#include <functional>

#include "thread_level/gcc_plugin/gathering.h"

namespace mqinspect::thread_level::plugin {

/// Of an assignment or a call, with what it hands over.
void note_casts(Gathering& gathering, const gimple* statement);

/// Those of a statement, and of what variables begin with. No statement comes after this.
void add_casts(Gathering& gathering);

/// The type of those functions; null: it is no pointer to functions.
tree pointed_function_type(tree type);

/// What a static variable or a member, `holder`, begins with, or one of its elements.
using InitialVisitor = std::function<void(tree holder, tree type, tree value)>;

/// Of all static variables that begin with the address of a function somewhere in them. Tables of
/// virtual functions are not among them.
void for_each_initial(const InitialVisitor& visit);

}  // namespace mqinspect::thread_level::plugin
