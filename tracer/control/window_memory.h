/// What the program itself loads from, and stores to, the memory of its windows: beside one-sided
/// operations of others that is a conflict (MPI 4.0, 12.7).
///
/// Noted as EventKind::LocalAccess, of what can be seen: bytes at the beginning of a window that
/// have changed between two calls, and accesses to its first elements that a guard has caught.
/// Of windows of MPI_Win_create where nobody else writes meanwhile, both, if they are not long
/// (kLongestRead); of longer ones, and of memory that processes of one host share and write to
/// directly, such as that of MPI_Win_allocate and MPI_Win_allocate_shared, what was caught, in half
/// as many elements; of others nothing. Used by local_memory.h, in the first thread; what other
/// threads touch between two calls of the first is noted with the next one.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>

#include "tracer/control/buffer_guards.h"
#include "tracer/control/touch.h"

namespace mqinspect::tracer {

struct Thread;

/// `window`: the handle's bits. Called for each window that the process takes part in.
void window_memory_made(
    std::uint64_t window, const char* kind, void* base, std::int64_t bytes, std::int64_t unit);
void window_memory_freed(std::uint64_t window);

/// The block may be there no more: nothing of it is read again.
void forget_windows_in(std::uint64_t begin, std::uint64_t bytes);

int known_windows();
/// At the entry of a call: what has changed since remember_windows().
void look_at_windows(Thread& thread);
/// At a return.
void remember_windows();
/// What the guards should catch; how many: four at most.
std::size_t windows_to_guard(GuardedRange* ranges);
/// From a signal handler. False: that is no window's.
bool window_touched(Thread& thread, const Touch& touch, std::int64_t stack);
/// What another thread has touched. Enough: what it does there further is of no interest.
enum class Elsewhere { Nothing, More, Enough };
/// The same of another thread than the first. `has_stored`: tells it of the address.
Elsewhere window_touched_elsewhere(std::uint64_t address,
                                   std::int64_t stack,
                                   bool (*has_stored)(std::uint64_t));
/// The instruction has loaded what lies beside a window, which begins or ends there, or its mask
/// has left that out.
bool is_window_loaded_beside(std::uint64_t address, const ucontext_t& context);
/// What was remembered means nothing any more.
void forget_windows();

}  // namespace mqinspect::tracer
