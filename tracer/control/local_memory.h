/// Memory that the program must leave alone for a while, or that others may use at the same time:
/// what it does there between two calls of MPI.
///
/// Brings together the buffers of pending operations (pending_buffers.h), the process's windows
/// (window_memory.h), and the guards that catch the program in the act (buffer_guards.h). As those
/// cost some ten microseconds each time, they are raised only behind the first few returns of each
/// call site, unless the user wants more (MQI_RECORD_GUARD). Only the first thread's doings are
/// looked at, as long as no other one calls MPI.
#pragma once

#include <atomic>
#include <cstdint>

#include "tracer/control/touch.h"

namespace mqinspect::tracer {

struct Site;
struct Thread;

/// Buffers and windows that are known: asked for at each call.
extern std::atomic<int> watched_memory;

/// To be called by their owners when there are more, or fewer.
void watched_memory_changed();

/// At the entry of a call that is not inside another one, if there are any.
void look_at_memory(Thread& thread);
/// At its return.
void remember_memory(Thread& thread, Site& site);
/// From a signal handler in the program's own code; `stack`: where.
void memory_touched(Thread& thread, const Touch& touch, std::int64_t stack);
/// A call was not recorded: what it has changed is not known.
void forget_memory();

/// Longer pieces get their memory from the system, and give it back when they are freed: a program
/// that does so too early must not fail here, so that nothing of them is read.
constexpr std::int64_t kLongestRead = 65536;

/// Memory that MPI writes to is written in calls of this process only. So it is with MPICH's
/// device ch3, whose receivers copy what arrives; elsewhere a peer or the network may write to a
/// buffer at any time.
bool writes_in_calls_only();

}  // namespace mqinspect::tracer
