/// Objects that threads wait at and that are not locks: semaphores, latches, and barriers that are
/// not OpenMP's.
#pragma once

#include <string_view>

#include "thread_level/gcc_plugin/callees.h"

namespace mqinspect::thread_level::plugin {

/// Whether the type is one of theirs, in C or C++.
bool is_turn_object(tree type);
/// Whether it is, or has one in it.
bool has_turn_object(tree type);
/// Whether a call of such a callee does to its first argument what steps tell.
bool uses_turn_object(CalleeKind kind);
/// Member functions of std::counting_semaphore, std::latch and std::barrier, by assembler name;
/// Other: it is none, or one of which nothing is known.
CalleeKind kind_of_turn_object_member(std::string_view symbol);

/// Whether it is a member of the C++ library's condition variables that waits until the last
/// argument, a function object, returns true.
bool waits_for_predicate(std::string_view symbol);

/// Whether `construct`, an `ordered depend(...)` in `loop`, is where an iteration waits for the
/// one right before it (Acquire), or lets the next one go on (Release). Join: it is neither.
StepKind order_of(const gimple* construct, const gimple* loop);

}  // namespace mqinspect::thread_level::plugin
