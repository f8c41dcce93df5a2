/// Functions that are called by way of a pointer to functions of another type, as pointers are
/// cast:
/// `(void (*)(struct shape*))draw_circle`.
#pragma once

#include "thread_level/gcc_plugin/gathering.h"

namespace mqinspect::thread_level::plugin {

/// Of an assignment or a call, with what it hands over.
void note_casts(Gathering& gathering, const gimple* statement);

/// Those of a statement, and of what variables begin with. No statement comes after this.
void add_casts(Gathering& gathering);

/// Whether what the variable is at first has the address of a function in it.
bool refers_to_function(varpool_node& variable);

}  // namespace mqinspect::thread_level::plugin
