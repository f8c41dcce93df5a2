/// Small programs for tests of the thread-level analysis, written down as text.
///
///     main() {
///         MPI_Init_thread(SERIALIZED)
///         parallel {
///             single nowait { a: MPI_Reduce(comm=WORLD) }
///             single        { b: MPI_Reduce(comm=$0) }
///         }
///     }
///
/// Functions: `name() {`, with `static`, `taken TYPE`, `slot SLOT`, `returns tid|size|main` before.
/// Variables: `created c` (a communicator is made in it once), `global x`, `level x = FUNNELED`.
///
/// Statements: parallel, parallel(never), parallel(perhaps), single, master, masked, sections,
/// section, for, ordered, critical(name), task, taskloop, taskgroup, scope with a block, and
/// `nowait`, `undeferred`, `in(x)`, `out(x)` before it; guards: tid0, tid(k), other_tids,
/// main_thread, not_main_thread, not_in_parallel, in_parallel, one_thread, several_threads,
/// provided(LEVEL), drew(k), first_is(k) and first_is_not(k) for the first parameter, and `by f`
/// for a wrapper; maybe {} else {}, loop {}; barrier, taskwait, return; lock(x), unlock(x),
/// lock_if(c, x), unlock_if(c, x); is(x, k), is_not(x, k),
/// set(x, k) of a variable that is 0 at first, where k may be $0; count(x) of a latch; call f(args)
/// and call_if(c) f(args) with `handing g`; indirect TYPE(), virtual SLOT(); start f, join;
/// MPI_X(comm=, peer=, tag=, object=).
///
/// Values: WORLD and SELF; numbers; $0 is a parameter; x a global variable; new.x a shared local
/// one that is made once, shared.x another shared local one, own.x one that each thread has; each.x
/// an element of an array, mine.x that with the thread's number; ? what isn't known.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "thread_level/analysis/assessment.h"
#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level::test {

struct MiniProgram {
    Unit unit;
    std::map<std::string, std::pair<FunctionId, StepId>> labels;
};

/// A mistake in `text` ends the test program.
MiniProgram parse(std::string_view text);

}  // namespace mqinspect::thread_level::test
