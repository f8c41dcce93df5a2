/// Threads that are not there where a condition says so that excludes the one they start under.
#pragma once

#include <span>
#include <vector>

#include "thread_level/analysis/shape.h"

namespace mqinspect::thread_level {

/// A thread that the function starts in `region`, in its own scope.
struct StartedIn {
    RegionId region = 0;
    AsyncSet bit = 0;
};

/// By region: those that the same call of the function has not started where it comes there.
std::vector<AsyncSet> absent_threads(const Program& program,
                                     const Shape& shape,
                                     const std::vector<StartedIn>& threads);

}  // namespace mqinspect::thread_level
