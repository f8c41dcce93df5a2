/// Catches the program where it touches guarded memory by letting it take one instruction at a
/// time: for machines whose watchpoints catch nothing, where they are not permitted, and for what
/// is too long for them.
///
/// The processor traps behind each instruction of the first thread (the trap flag: AMD64
/// Architecture Programmer's Manual, volume 2, 13.1.4) from the return of a call to the entry of
/// the next one. A step costs one to some twenty microseconds, so that steps are taken for a few
/// milliseconds only. They end before what they could not go through unharmed: the dynamic linker
/// (many thousand instructions), and system calls but the most common ones, as a thread that is
/// about to block SIGTRAP, or to become two, must not be in the middle of a step.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>

#include "tracer/control/buffer_guards.h"
#include "tracer/control/touch.h"

namespace mqinspect::tracer {

// These leave errno as it is.

/// True if steps can be taken; loads what that needs.
bool can_step();
/// Whether start_steps() is of use: the time for steps is not over, and there are loads to be
/// found.
bool are_steps_due(const GuardedRange* ranges, std::size_t count);
/// From a call that is about to return to the program. Precondition: are_steps_due().
void start_steps(const GuardedRange* ranges, std::size_t count);
/// From the entry of the next call.
void end_steps();

struct TouchAt {
    Touch touch;
    std::uint64_t instruction = 0;  ///< which has been executed
};

/// From the handler of SIGTRAP, for a trap behind an instruction. False: the step was none of ours.
bool take_step(ucontext_t& context);
/// After it: it was the last one, and the program has not come to the next call yet.
bool gave_up_steps();
/// The next one of what the instruction before has touched; false: nothing more.
bool next_touch(TouchAt& touch);

}  // namespace mqinspect::tracer
