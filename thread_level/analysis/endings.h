/// Functions that end the process: what a thread calls on its way there needs no level.
#pragma once

#include "thread_level/analysis/program.h"

namespace mqinspect::thread_level {

/// All ways through the function end in calls that do not return, and none goes round for ever.
bool ends_process(const Program& program, Node node);

}  // namespace mqinspect::thread_level
