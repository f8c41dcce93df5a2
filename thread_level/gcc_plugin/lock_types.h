/// Types of locks, of the language, of OpenMP and of libraries.
#pragma once

#include "thread_level/gcc_plugin/gcc.h"

namespace mqinspect::thread_level::plugin {

/// Whether the type's name says that it is a lock.
bool is_lock_type(tree type);
/// Whether it is a pointer or a reference to such.
bool points_to_lock(tree type);

}  // namespace mqinspect::thread_level::plugin
