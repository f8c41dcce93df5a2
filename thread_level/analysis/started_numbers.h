/// Numbers that a program gives its own threads as it starts them, and guards that ask for one:
/// what such a question is in the callers, up to the start.
#pragma once

#include "thread_level/analysis/shape.h"

namespace mqinspect::thread_level {

/// Whether the guard is for who has one number, which the function has been handed.
bool asks_for_number(const Region& guard);

/// What such a guard asks of its function. What it compares with a variable is a number of its own.
Asked asked_by(const Region& guard);

/// Whether all threads that come to the guard `region` have been started with higher numbers than
/// it asks for: then it is for who calls the functions, the thread that has started the others.
bool is_below_all_started(const Program& program, FunctionId function, RegionId region);

/// Whether who entered the function executes the region, too.
bool is_of_caller(std::span<const Region> regions, RegionId region);

enum class Handing : std::uint8_t {
    Asked,      ///< the caller's question is now `asked`; without a parameter: there is none
    OneThread,  ///< of those that the step starts one has the number
    OneObject,  ///< the same, and of those that other executions of it start none
    Never,      ///< of those that the step starts none has it
    OtherOnly,  ///< the step calls the function itself, with another number
};
/// `asked`: of what the step calls, or starts a thread with.
Handing hand_number(Asked& asked, const Step& step, bool starts_thread);

/// Where `step` of `function` comes behind a write to the variable that is asked for, what is asked
/// is about what was written. False: that is another number.
bool ask_for_written(Asked& asked, const OwnNumbers& numbers, FunctionId function, StepId step);
/// The same, unless another thread than that of the function executes the step.
bool ask_for_written(Asked& asked, const Program& program, const Shape& shape, StepId step);
/// What is asked at the step, from what is asked below it, if anything, and by the guards around.
void ask_around(Asked& asked, const Program& program, const Shape& shape, StepId step);

}  // namespace mqinspect::thread_level
