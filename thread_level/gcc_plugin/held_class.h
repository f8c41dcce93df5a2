/// What smart pointers and std::optional hold, in C++.
#pragma once

#include <string_view>

#include "thread_level/gcc_plugin/gcc.h"

namespace mqinspect::thread_level::plugin {

/// The member function of that name, of the class or of its first base that has one.
tree method_of(tree class_type, std::string_view name);
/// The class of what a std::unique_ptr or std::optional holds; null: not known.
tree held_class(tree holder);
/// Whether the class is that of a thread.
bool is_thread_class(tree type);
/// Whether a variable of the type keeps one thread at most: that, or a pointer to one, be it a
/// std::unique_ptr, which ends the process if it destroys a thread that has not been joined.
bool keeps_thread(tree type);

}  // namespace mqinspect::thread_level::plugin
