/// std::packaged_task: who executes what is in it.
#pragma once

#include <string_view>

#include "thread_level/gcc_plugin/gathering.h"

namespace mqinspect::thread_level::plugin {

/// Whether a function of the library is the operator() of a packaged task.
bool calls_task(std::string_view symbol);
/// What calls of it are matched by: the same for all tasks of a type.
std::string_view task_slot(std::string_view symbol);
StringId task_slot(Gathering& gathering, tree task_type);

/// A task may be executed from where it is made on, by a thread that is not known. Where functions
/// of the program call tasks of its type, it is one of those that do: the step that makes it is
/// virtual then, and its function has the slot. Not if threads start with tasks of the type.
void settle_packaged_tasks(Gathering& gathering);

}  // namespace mqinspect::thread_level::plugin
