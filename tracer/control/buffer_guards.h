/// Catches the program where it touches memory that it should leave alone: watchpoints of the
/// processor, four in all, where they are none or too few single steps (access_steps.h), and page
/// protection.
///
/// Guards are up between the calls of MPI of the first thread. What the program does goes on as if
/// there were none, but for system calls that are given a protected page: they fail with EFAULT.
/// Pages are therefore protected only if the user wants all guards (MQI_RECORD_GUARD=1).
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>

#include "tracer/control/watchpoint.h"

namespace mqinspect::tracer {

// These leave errno as it is.

/// Exactly these are guarded from here on, the first ones before others; the first words of all
/// before the second of any. `may_step`: by single steps, if watchpoints do not reach.
void raise_guards(const GuardedRange* ranges, std::size_t count, bool may_step);
/// From the handler that has taken the last step, long before the next call: watchpoints from here
/// on, as far as they reach.
void watch_instead_of_steps();
/// MPI may touch everything.
void lower_guards();
/// Watchpoints work here, and their signals come to us. Tries it, the first time.
bool may_watch();
/// Guards are single steps, which take some hundred times as long as watchpoints. Not known before
/// the first are raised.
bool guards_are_steps();
/// Nothing is to be guarded soon: gives descriptors back.
void drop_guards();

// From a signal handler:

/// For a fault: true if a guard has caught it. The program may go on: that range is guarded no
/// more.
bool lift_guard(std::uint64_t address);
/// A watchpoint of ours is at this address.
bool is_watched(std::uint64_t address);
/// It has caught a load of what lies beside its range, or what a mask has left out: no access of
/// the program's own.
bool was_loaded_beside(std::uint64_t address, const ucontext_t& context);
/// The handler's own looks at memory must not be caught.
void pause_watchpoints();
void resume_watchpoints();
/// The watchpoint there is not wanted any more; or for stores only.
void leave_alone(std::uint64_t address);
/// The same until guards are raised again, from any thread.
void leave_alone_meanwhile(std::uint64_t address);
void catch_stores_only(std::uint64_t address);
/// Since it was asked last the program has stored there. Precondition: GuardedRange::told_apart.
bool has_stored(std::uint64_t address);

}  // namespace mqinspect::tracer
