/// Numbers that a program gives its own threads as it starts them, and guards that ask for one:
/// what such a question is in the callers, up to the start.
#pragma once

#include "thread_level/analysis/shape.h"

namespace mqinspect::thread_level {

/// Whether the guard is for who has one number, which the function has been handed.
bool asks_for_number(const Region& guard);

/// What such a guard asks of its function. What it compares with a variable is a number of its own.
Asked asked_by(const Region& guard);

enum class Handing : std::uint8_t {
    Asked,      ///< the caller's question is now `asked`; without a parameter: there is none
    OneThread,  ///< of those that the step starts one has the number
    Never,      ///< of those that the step starts none has it
    OtherOnly,  ///< the step calls the function itself, with another number
};
/// `asked`: of what the step calls, or starts a thread with.
Handing hand_number(Asked& asked, const Step& step, bool starts_thread);

}  // namespace mqinspect::thread_level
