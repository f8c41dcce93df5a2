/// The signals of a process that runs another one: what ends us, ends the job.
#pragma once

#include <chrono>
#include <csignal>
#include <vector>

namespace mqinspect::launch {

/// Signals for us wait until `wait` takes them. Those of a terminal reach the job by
/// themselves, as it is in the same foreground group; the others are to be handed on.
class Signals {
public:
    /// Blocks them for this thread; to be made when the job has been started.
    Signals();
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;
    ~Signals();

    /// Returns at the first signal, or after `limit`. The number of a signal that a process
    /// has sent to us, perhaps as one of a group; 0: something else has happened.
    int wait(std::chrono::nanoseconds limit);

private:
    sigset_t taken_;
    sigset_t before_;
    struct sigaction child_before_;
};

}  // namespace mqinspect::launch
