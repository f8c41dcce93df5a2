/// Promises and futures of C++: what hands on that something is done, once.
#pragma once

#include "thread_level/gcc_plugin/callees.h"

namespace mqinspect::thread_level::plugin {

/// Whether the type is std::promise.
bool is_promise(tree type);
/// Whether it is std::future or std::shared_future.
bool is_future(tree type);
/// Whether it is std::packaged_task.
bool is_packaged_task(tree type);
/// Members of them, by assembler name; Other: it is none, or one of which nothing is known.
CalleeKind kind_of_future_member(std::string_view symbol);
/// Whether it is a member that returns a future.
bool returns_future(std::string_view symbol);
/// Whether it is a constructor or an assignment that moves or copies the second argument, a promise
/// or a future, to the first one.
bool transfers_future(std::string_view symbol);
/// Whether it is std::move() or std::forward().
bool is_std_move(std::string_view symbol);
/// The future itself, if `object` is what it inherits from.
tree future_around(tree object);

}  // namespace mqinspect::thread_level::plugin
