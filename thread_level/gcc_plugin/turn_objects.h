/// Objects that threads wait at and that are not locks: semaphores, latches, and barriers that are
/// not OpenMP's.
#pragma once

#include <string_view>

#include "thread_level/gcc_plugin/callees.h"

namespace mqinspect::thread_level::plugin {

/// Whether it is POSIX's semaphore.
bool is_semaphore(tree type);
/// Whether the type is one of theirs, in C or C++.
bool is_turn_object(tree type);
/// Whether what threads go by may be of the type: it is that of a number, or of an object.
bool has_number(tree type);
/// Whether it is, or has one in it, or a lock, an atomic, a volatile or a condition variable.
bool has_turn_object(tree type);
/// Whether a parameter is the address of something that threads wait at, or of an atomic.
bool is_handed_turn(tree parameter);
/// Whether it is a class that has such in it, and that no other unit knows: its definition is in no
/// header.
bool is_followed_class(tree type);
/// Whether a call of such a callee does to its first argument what steps tell.
bool uses_turn_object(CalleeKind kind);
/// Whether a call makes an object that has_turn_object(), or returns memory for one; or an
/// assignment has the address of one from what is a pointer to anything.
bool gets_turn_object(const gimple* statement);
/// Whether `left` is a number in an object that has_turn_object().
bool writes_beside_turn_object(tree left);
/// Member functions of std::counting_semaphore, std::latch and std::barrier, by assembler name;
/// Other: it is none, or one of which nothing is known.
CalleeKind kind_of_turn_object_member(std::string_view symbol);

/// Whether it is a member of the C++ library's condition variables that waits until the last
/// argument, if that is a function object, returns true; or, if it returns anything, not for ever,
/// and whether that has returned true.
bool waits_for_predicate(std::string_view symbol);

/// Whether `construct`, an `ordered depend(...)` in `loop`, is where an iteration waits for the
/// one right before it (Acquire), or lets the next one go on (Release). Join: it is neither.
StepKind order_of(const gimple* construct, const gimple* loop);

}  // namespace mqinspect::thread_level::plugin
