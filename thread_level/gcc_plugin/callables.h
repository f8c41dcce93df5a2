/// What threads start with, and other callers call: functions, and what the C++ library and Boost
/// wrap around such.
#pragma once

#include <optional>
#include <string_view>

#include "thread_level/gcc_plugin/gcc.h"

namespace mqinspect::thread_level::plugin {

/// What is called where a function object is: a function, or one that is kept in a pointer, of
/// which the type is known. Neither, if it can't be told.
struct Callable {
    tree function = NULL_TREE;
    tree type = NULL_TREE;
};

/// Of pointers and references to a function or a member function; null: it is none.
tree function_type_of(tree type);
/// Whether it is operator() of a class.
bool is_call_operator(tree member);
/// Classes that call what is their first member, with what they are handed.
bool is_wrapper(tree class_type);
/// Makes an object of such a class, of what is its first argument: std::bind() and its kin.
bool makes_wrapper(std::string_view symbol);
/// Which argument of a function of the C++ library a thread starts with that it makes somewhere:
/// `threads.emplace_back(work)`, std::make_unique<std::thread>(work). Nothing: it makes none.
std::optional<int> started_argument(std::string_view symbol);

}  // namespace mqinspect::thread_level::plugin
