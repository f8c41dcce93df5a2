/// Numbers that a program gives its own threads as it starts them, and guards that ask for one:
/// what such a question is in the callers, up to the start.
#pragma once

#include "thread_level/analysis/shape.h"

namespace mqinspect::thread_level {

/// What the guard asks of its function.
Asked asked_by(const Region& guard);

enum class Handing : std::uint8_t {
    Asked,      ///< the caller's question is now `asked`; without a parameter: there is none
    OneThread,  ///< of those that the step starts one has the number
    Never,      ///< none has
};
/// `asked`: of what the step calls, or starts a thread with.
Handing hand_number(Asked& asked, const Step& step, bool starts_thread);

}  // namespace mqinspect::thread_level
