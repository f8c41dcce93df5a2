/// Memory that the program must leave alone for a while, or that others may use at the same time:
/// what it does there between two calls of MPI.
///
/// Brings together the buffers of pending operations (pending_buffers.h), the process's windows
/// (window_memory.h), and the guards that catch the program in the act (buffer_guards.h). As those
/// cost some ten microseconds each time, they are raised only behind the first few returns of each
/// call site, unless the user wants more (MQI_RECORD_GUARD). Of windows only the first thread's
/// doings are looked at, as long as no other one calls MPI; of buffers those of all threads
/// (thread_guards.h).
#pragma once

#include <atomic>
#include <cstdint>

#include "tracer/control/thread_guards.h"
#include "tracer/control/touch.h"
#include "tracer/log/site.h"
#include "tracer/recorder.h"

namespace mqinspect::tracer {

/// Buffers and windows that are known: asked for at each call.
extern std::atomic<int> watched_memory;

inline bool is_memory_watched() {
    return watched_memory.load(std::memory_order_relaxed) != 0 ||
           shared_buffers.load(std::memory_order_relaxed) != 0;
}

/// Returns of a call site behind which guards are raised, unless the user wants more, or none.
constexpr std::uint8_t kGuardedReturns = 32;
/// Of a site with fewer returns than that.
bool is_first_return_guarded(const Site& site);
/// Guards would be raised behind its next return; in threads beside the first.
inline bool may_be_guarded(const Site& site) {
    return site.guarded < kGuardedReturns ? is_first_return_guarded(site)
                                          : recorder.options().guards == Guards::All;
}
bool may_be_guarded_in_threads(const Site& site);

/// To be called by their owners when there are more, or fewer.
void watched_memory_changed();

/// At the entry of a call that is not inside another one, if there are any.
void look_at_memory(Thread& thread);
/// At its return.
void remember_memory(Thread& thread, Site& site);
/// From a signal handler in the program's own code; `stack`: where.
void memory_touched(Thread& thread, const Touch& touch, std::int64_t stack);
/// The same where a watchpoint is of another thread than its own; `mark`: the watchpoint's.
void memory_touched_by(std::uint64_t mark, const Touch& touch, std::int64_t stack);
/// The call that is open waits, and has buffers (kUntilReturn) that other threads must leave alone.
void guard_meanwhile(Site& site);
/// A call was not recorded: what it has changed is not known.
[[gnu::cold]] void forget_memory();

/// Longer pieces get their memory from the system, and give it back when they are freed: a program
/// that does so too early must not fail here, so that nothing of them is read.
constexpr std::int64_t kLongestRead = 65536;

/// Memory that MPI writes to is written in calls of this process only. So it is with MPICH's
/// device ch3, whose receivers copy what arrives; elsewhere a peer or the network may write to a
/// buffer at any time.
bool writes_in_calls_only();

}  // namespace mqinspect::tracer
