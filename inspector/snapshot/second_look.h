/// When a second snapshot says more than the first.
#pragma once

#include <chrono>
#include <span>

#include "model/job_snapshot.h"

namespace mqinspect::snapshot {

/// Waits until each of these ranks has had a chance to notice a message that was
/// under way at the first look: until it has used processor time for at least a
/// short while since this call, or sleeps in the kernel, or has ended. At least
/// `at_least`, at most `at_most`.
///
/// A time alone would prove nothing: on a busy machine a rank may not run at all
/// for that long.
void let_ranks_run(std::span<const pid_t> pids,
                   std::chrono::milliseconds at_least,
                   std::chrono::milliseconds at_most);

}  // namespace mqinspect::snapshot
