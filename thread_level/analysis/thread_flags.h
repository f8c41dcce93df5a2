/// Variables that say whether a thread has been started, around what waits until it says that it is
/// done, or joins it: `if (!started) return; while (!done) wait();`.
#pragma once

#include <optional>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

class Program;

/// The unit, where who finds that there is no thread is as one who has waited for it: another step
/// says so on that way. The steps that were there keep their numbers. Nothing if there is no such
/// variable: it is 1 where any thread is that says so, and 0 again only behind the wait.
std::optional<Unit> with_thread_flags(const Program& program);

}  // namespace mqinspect::thread_level
