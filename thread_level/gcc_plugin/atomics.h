/// Functions that read or write an atomic variable: GCC's builtins, which <stdatomic.h> consists
/// of, and the members of std::atomic and std::atomic_flag.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "thread_level/gcc_plugin/gcc.h"

namespace mqinspect::thread_level::plugin {

enum class AtomicKind : std::uint8_t {
    None,
    Load,  ///< also what leaves it alone
    Store,
    Exchange,         ///< returns what was there before
    CompareExchange,  ///< writes only where it finds what it expects, and returns whether it has
    Wait,             ///< until it is not the second argument any more
    Fence,            ///< for all memory, as `omp flush` is
    Other,            ///< changes it in another way, or does something else
};

/// By the `name` of a function, and its assembler name.
AtomicKind atomic_kind(std::string_view name, tree function_declaration);

/// Whether a call has the order of memory that threads need to hand something on: of an Exchange
/// `as_store`, that of what goes before; else that of what comes behind.
bool is_ordered(const gimple* call, AtomicKind kind, bool as_store);

/// What a Store, an Exchange or a CompareExchange writes; null: `test_and_set`, which writes 1.
tree written_by(const gimple* call);

/// What a CompareExchange expects: a constant, or the address of what has it.
tree expected_by(const gimple* call);

/// std::atomic or an atomic_flag.
bool is_atomic_record(tree type);
/// The atomic for the number in it: std::atomic<int> is a part of itself, as its base class.
tree atomic_around(tree object);

}  // namespace mqinspect::thread_level::plugin
