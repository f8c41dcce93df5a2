/// What the calling thread holds.
#pragma once

#include "thread_level/checks/here.h"

namespace mqinspect::thread_level::checks {

/// It has taken it, in its innermost team.
void hold(std::uintptr_t exclusion);

inline void release(std::uintptr_t exclusion) {
    here.held.remove(exclusion);
}

}  // namespace mqinspect::thread_level::checks
