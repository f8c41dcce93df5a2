#pragma once

#include "thread_level/analysis/flow.h"

namespace mqinspect::thread_level {

/// What one step does to locks, and where.
struct Flow::LockUse {
    StepId step = 0;
    LockSet take = 0;
    LockSet take_perhaps = 0;
    LockSet release = 0;
    bool takes_some = false;  ///< it is not known which
    bool releases_some = false;
    StringId variable = 0;  // of the condition that it hangs on
    bool is_conditional = false;
};

}  // namespace mqinspect::thread_level
