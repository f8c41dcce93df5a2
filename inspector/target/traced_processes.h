/// Processes that this thread traces for a long time: one that it starts, what that one
/// starts, and others that are seized while they run.
///
/// They run at full speed except for the stops named here, and run on if the tracer ends,
/// by SIGKILL too. All of it is for one thread: ptrace(2) knows tracers by thread.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "inspector/target/breakpoint_guard.h"
#include "inspector/target/memory.h"

namespace mqinspect::target {

/// Something for the tracer to decide on. The thread stands until `resume`, unless its
/// process has ended.
struct TraceEvent {
    enum class Kind {
        Exec,        ///< the process has another program, of which nothing has run yet
        Breakpoint,  ///< the instruction at `address` comes next
        Crash,       ///< `signal` is about to kill the process, which has no handler for it
        Ended,       ///< of a process, with `status`; never of a thread alone
    };
    Kind kind = Kind::Ended;
    pid_t pid = 0;
    pid_t tid = 0;
    int signal = 0;
    int status = 0;  ///< as of waitpid(2)
    /// Breakpoint: where. Crash: the address that a fault was about.
    std::optional<Address> address = std::nullopt;
    /// Crash: another process that sent the signal.
    std::optional<pid_t> sender = std::nullopt;
};

/// Signals that are not going to kill are delivered at once, and job control works as
/// without a tracer. Threads and processes that a traced process starts are traced too.
class TracedProcesses {
public:
    TracedProcesses() = default;
    TracedProcesses(const TracedProcesses&) = delete;
    TracedProcesses& operator=(const TracedProcesses&) = delete;
    /// What is traced stays so until it ends, or this thread does.
    ~TracedProcesses() = default;

    /// Starts a command as a child, with our descriptors, environment, signal mask and
    /// dispositions; its name is looked up in PATH. The first event is its Exec.
    /// Fails with InvalidArgument, and starts nothing, if it cannot be executed.
    Result<pid_t> start(const std::vector<std::string>& command);

    /// Traces a process with all its threads, without stopping any. Fails as
    /// StoppedProcesses::threads says; a process that is traced already is no failure.
    Result<Done> seize(pid_t pid);

    /// The next event that has happened; never waits. SIGCHLD says when to ask again.
    std::optional<TraceEvent> next();

    /// Lets a thread go on from its event, with a signal for it, or 0.
    void resume(pid_t tid, int signal = 0);

    /// A Breakpoint at the first instruction of the program of a process that stands at its
    /// Exec: the loader has loaded all libraries by then. Happens once.
    Result<Done> stop_at_entry(pid_t pid);

    /// Of a process that stands. Happens each time, for any of its threads.
    Result<Done> set_breakpoint(pid_t pid, Address address);

    /// Changes the memory of a process that is traced.
    static Result<Done> write(pid_t pid, Address address, std::span<const std::byte> bytes);

    /// When this signal was last delivered to the process; empty: never.
    std::optional<std::chrono::steady_clock::time_point> last_received(pid_t pid, int signal) const;

    /// Processes, not threads, in ascending order.
    std::vector<pid_t> processes() const;

private:
    struct Breakpoint {
        std::byte original{};
        bool once = false;
    };

    Result<Done> insert(pid_t pid, Address address, bool once);
    void forget_breakpoints(pid_t pid);
    /// Puts the thread back to the instruction; empty: there is no breakpoint of ours.
    std::optional<Address> at_breakpoint(pid_t pid, pid_t tid);
    void step_over(pid_t pid, pid_t tid, int signal);
    pid_t process_of(pid_t tid);
    std::optional<TraceEvent> ended(pid_t tid, int status);
    std::optional<TraceEvent> stopped(pid_t tid, int status);
    std::optional<TraceEvent> before_signal(pid_t pid, pid_t tid, int signal);

    std::unordered_map<pid_t, pid_t> threads_;  ///< to their process
    std::map<std::pair<pid_t, Address>, Breakpoint> breakpoints_;
    std::unordered_map<pid_t, Address> to_step_;  ///< threads at a breakpoint that stays
    std::map<std::pair<pid_t, int>, std::chrono::steady_clock::time_point> received_;
    std::vector<TraceEvent> pending_;  ///< seen out of turn, for next()
    BreakpointGuard guard_;
};

}  // namespace mqinspect::target
