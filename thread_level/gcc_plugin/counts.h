/// Atomic variables that threads count, to find out which of them comes first or last.
#pragma once

#include <cstdint>
#include <string_view>

#include "thread_level/gcc_plugin/gcc.h"

namespace mqinspect::thread_level::plugin {

/// Whether a function, by its `name`, adds to or takes from an atomic variable, and returns what
/// was in it before or is in it after that.
bool is_count(std::string_view name, tree function_declaration);
/// What a call of such a function does.
bool counts_down(const gimple* call);

/// The constant that `definition` adds to `to`; null: it does something else.
tree added(gimple* definition, tree to);
/// What `addition` adds; below 0: takes away. That is how GCC has `- 1` of unsigned numbers, too.
std::int64_t amount_of(const gimple* addition, tree number);

}  // namespace mqinspect::thread_level::plugin
