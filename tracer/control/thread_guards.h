/// Buffers of operations under way in a process with several threads, and its windows: each
/// thread's watchpoints catch what it does with them while it is not in a call of MPI.
///
/// The first thread has what buffer_guards.h says instead, as long as no other one calls MPI; here
/// nothing is compared, since another thread's call may write at any time. A touch is kept at its
/// buffer until the next call of any thread notes it: a thread that does not call MPI has no log.
/// Buffers are those of the first few calls of each call site (local_memory.h), the newest eight,
/// of which four words are watched in sixteen threads; a thread that starts later has the first
/// thread's watchpoints.
/// Windows are watched as long as one thread alone calls MPI: what others touch between its calls
/// is for window_memory.h.
#pragma once

#include <sys/single_threaded.h>
#include <ucontext.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace mqinspect::tracer {

struct Thread;

struct SharedBuffer {
    std::int64_t request = 0;  ///< model::kNullHandle: `owner` has it
    std::uint64_t owner = 0;   ///< handle of a window or file, or the call that waits; 0: none
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
    bool loads = false;     ///< must not be, either
    bool argument = false;  ///< no buffer, but an array that the operation was given
};

/// How many: asked for at each call.
extern std::atomic<int> shared_buffers;

/// There are, or were, others than the first.
inline bool has_threads() {
    return __libc_single_threaded == 0;
}

/// In use from now on, guarded from guard_threads() on.
void share_buffer(const SharedBuffer& buffer);
/// Behind it nothing of these is caught any more. What was is noted in `thread`'s log.
void unshare_request(Thread& thread, std::int64_t request);
/// The request goes on, and its arguments with it.
void unshare_buffer(Thread& thread, std::int64_t request);
void unshare_owner(Thread& thread, std::uint64_t owner);

/// Something of the block is one of these.
bool is_buffer_shared(std::uint64_t begin, std::uint64_t bytes);

/// At the entry of a call: what was caught.
void note_touches(Thread& thread);
/// Before the program, or another thread, goes on.
void guard_threads();

//// Windows are watched no more.
void unwatch_windows();

/// Marks of buffers; the others are of windows, or of no thread beside the first.
constexpr std::uint64_t kWindowMark = 1U << 31U;
constexpr bool is_of_window(std::uint64_t mark) {
    return (mark & kWindowMark) != 0;
}
constexpr bool is_of_buffer(std::uint64_t mark) {
    return mark != 0 && !is_of_window(mark);
}

// From a signal handler, outside of MPI. False: the instruction has only loaded what lies beside,
// or its mask has left that out.
bool is_touch(std::uint64_t mark, std::uint64_t address, const ucontext_t& context);
/// `stack`: of the instruction.
void thread_touched(std::uint64_t mark, std::int64_t stack);
/// The calling thread has stored there, in a window, since it was asked last. False also where that
/// is not known.
bool has_thread_stored(std::uint64_t address);
/// No thread's touches are wanted there any more.
void unwatch_in_threads(std::uint64_t mark);

}  // namespace mqinspect::tracer
