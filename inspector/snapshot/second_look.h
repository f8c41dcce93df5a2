/// When a second snapshot says more than the first.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

namespace mqinspect::snapshot {

/// A moment in the life of a job, from which on its ranks are to run before another look
/// at them proves something.
///
/// A time alone would prove nothing: on a busy machine a rank may not run at all
/// for that long.
class RunMark {
public:
    /// Now, for these ranks, which run or are about to be let go: all that a message could be
    /// under way to or from. A clock_gettime(3) for each.
    explicit RunMark(std::span<const pid_t> pids);

    /// Waits until each of the ranks has had a chance to notice a message that was
    /// under way at the moment of the mark: until it has used processor time for at
    /// least a short while since then, or sleeps in the kernel, or has ended. And until
    /// `at_least` is over since the mark; at most for `at_most` from now.
    void wait_until_ranks_ran(std::chrono::milliseconds at_least,
                              std::chrono::milliseconds at_most);

private:
    struct Rank {
        pid_t pid = 0;
        std::uint64_t cpu_ns = 0;  ///< used before the mark
    };
    std::chrono::steady_clock::time_point time_;
    std::vector<Rank> waiting_;  ///< those that are not known to have run since
};

}  // namespace mqinspect::snapshot
