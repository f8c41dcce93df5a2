/// Stopping the processes of a job, all at once, and letting them go unharmed.
///
/// Uses PTRACE_SEIZE, PTRACE_INTERRUPT, PTRACE_GETREGS, PTRACE_DETACH of ptrace(2). A tracer that
/// dies, by SIGKILL too, is detached by the kernel and its tracees run on.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <chrono>
#include <span>
#include <vector>

#include "base/result.h"

namespace mqinspect::target {

struct StoppedThread {
    pid_t tid = 0;
    user_regs_struct registers{};
    bool suspended = false;  ///< job control had stopped it (SIGSTOP, until SIGCONT)
};

/// A set of stopped processes. They stand still from the return of `stop` until
/// `release` or destruction, whichever comes first.
///
/// Seizes every thread of every process first, then interrupts all, then waits,
/// so that the moments at which they stop lie close together. A thread that was
/// about to receive a signal gets it on release; one that job control had
/// stopped stays stopped. Must be released by the thread that stopped.
///
/// Threads that the calling thread traces already (TracedProcesses) are stopped too, and
/// stay traced when they are released. One that stands in a stop of its own, such as
/// before a signal, is left in it, and its event to whoever waits for it.
class StoppedProcesses {
public:
    /// Never fails as a whole: each process has its own outcome. A thread that
    /// does not stop within `patience` (uninterruptible sleep) fails its process
    /// with System.
    static StoppedProcesses stop(std::span<const pid_t> pids,
                                 std::chrono::milliseconds patience = std::chrono::seconds(2));

    StoppedProcesses(const StoppedProcesses&) = delete;
    StoppedProcesses& operator=(const StoppedProcesses&) = delete;
    StoppedProcesses(StoppedProcesses&&) noexcept;
    StoppedProcesses& operator=(StoppedProcesses&&) noexcept;
    ~StoppedProcesses();

    /// For pids[i]: its threads, the main thread first, or why it is not stopped:
    /// TargetExited (no such process, or a zombie), PermissionDenied (message says
    /// whose it is and what to do), System (already traced by PID n, ...).
    const Result<std::vector<StoppedThread>>& threads(std::size_t i) const { return threads_[i]; }

    /// Detaches from everything. Idempotent.
    void release();

    /// Between the moment the first process stopped and release (or now).
    double stopped_ms() const;

private:
    StoppedProcesses() = default;

    std::vector<Result<std::vector<StoppedThread>>> threads_;
    /// What release() has to do for a thread.
    struct Held {
        pid_t tid = 0;
        int signal = 0;        // to deliver, or kNotStopped
        bool lasting = false;  // it stays traced
    };
    static void let_go(Held& held);

    std::vector<Held> held_;
    std::chrono::steady_clock::time_point stopped_at_;
    std::chrono::steady_clock::time_point released_at_;
    bool released_ = false;
};

}  // namespace mqinspect::target
