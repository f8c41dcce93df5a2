/// Which threads a join is for, by the variables that they are known by.
#pragma once

#include <cstdint>
#include <vector>

#include "thread_level/analysis/summary.h"
#include "thread_level/facts/strings.h"

namespace mqinspect::thread_level {

/// What futures are of: threads of std::async(), and packaged tasks that others execute. A Constant
/// stands for one of them, or for what a wait may be for; the end of a future waits for the first
/// kind only.
inline constexpr std::int64_t kAsyncThread = 1;
inline constexpr std::int64_t kPackagedTask = 2;

/// Whether `a` and `b`, in terms of one function, may be the variable of one thread: an element of
/// an array may be any of it, a member that of any object.
bool may_be_same_thread(const Operand& a, const Operand& b, const Strings& strings);

/// What the callee of `call` knows a thread by, in terms of the caller; or, if `call` starts the
/// thread, what that is known by. A local variable of the
/// callee stays that: nobody else knows it.
Operand thread_outside(const Operand& thread, const Step& call, FunctionId caller);

/// Beyond some, they are not told apart.
void add_thread(std::vector<Operand>& threads, const Operand& thread);
void add_threads(std::vector<Operand>& threads, const std::vector<Operand>& more);
/// What the callee of `call` leaves or joins.
void hand_threads(std::vector<Operand>& threads,
                  const std::vector<Operand>& callee,
                  const Step& call,
                  FunctionId caller);

}  // namespace mqinspect::thread_level
