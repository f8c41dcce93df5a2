/// Starting a job under control.
///
/// Follows "The MPIR Process Acquisition Interface" 1.1 (MPI Forum, 2018): the starter
/// process is told that a debugger is there (MPIR_being_debugged) and stopped each time
/// when it says that it has started processes (MPIR_Breakpoint).
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "inspector/target/image.h"
#include "inspector/target/process_view.h"
#include "inspector/target/traced_processes.h"

namespace mqinspect::launch {

/// A command that runs a job: a launcher, or anything that executes or starts one, such
/// as a shell script. Everything below the command is traced from its first moment, so
/// that launchers without MPIR can be run as well, and that no crash comes too early.
///
/// Borrows the images. For one thread, as TracedProcesses.
class Launch {
public:
    /// `note` takes single lines for the user.
    Launch(target::ImageStore& images, std::function<void(const std::string&)> note)
        : images_(images), note_(std::move(note)) {}

    /// As TracedProcesses::start.
    Result<Done> start(const std::vector<std::string>& command);

    /// Deals with everything that has happened; never waits.
    void handle_events();

    pid_t command_pid() const { return command_; }
    /// Of the command, as of waitpid(2); empty: it runs.
    std::optional<int> status() const { return status_; }

    /// A launcher that has said that its job is up; 0: none at the moment.
    pid_t launcher() const;
    /// Some launcher has said so.
    bool had_job() const { return had_job_; }
    /// A launcher with MPIR runs, so that there will be word of its job.
    bool expects_job() const { return !launchers_.empty(); }
    /// Another number whenever processes may have joined or left the job.
    unsigned generation() const { return generation_; }

    /// Ranks, or other processes below the command, that stand before a signal that is
    /// going to kill them. Each has to be let go with `deliver`.
    std::vector<target::TraceEvent> take_crashes() { return std::exchange(crashes_, {}); }
    void deliver(const target::TraceEvent& crash) { traced_.resume(crash.tid, crash.signal); }

    /// Where a launcher does not release its ranks itself, they wait for the debugger to
    /// do it (MPIR_debug_gate). Called from time to time, as a rank can only be released
    /// when it has loaded its MPI library.
    void open_gates();

    std::vector<pid_t> traced() const { return traced_.processes(); }
    /// By the command; see TracedProcesses.
    std::optional<std::chrono::steady_clock::time_point> last_received(int signal) const {
        return traced_.last_received(command_, signal);
    }

private:
    struct Launcher {
        target::ProcessView view;
        target::Address breakpoint{};
        bool has_job = false;
    };

    void handle(const target::TraceEvent& event);
    void at_exec(const target::TraceEvent& event);
    void at_entry(const target::TraceEvent& event);
    void at_mpir_breakpoint(pid_t pid, Launcher& launcher);
    void acquire(pid_t pid, Launcher& launcher);
    void say_why_it_aborts(pid_t pid, const Launcher& launcher);
    bool release(pid_t pid);

    target::ImageStore& images_;
    std::function<void(const std::string&)> note_;
    target::TracedProcesses traced_;
    pid_t command_ = 0;
    std::optional<int> status_;
    std::map<pid_t, Launcher> launchers_;
    std::vector<target::TraceEvent> crashes_;
    std::vector<pid_t> gated_;
    unsigned generation_ = 0;
    bool had_job_ = false;
};

}  // namespace mqinspect::launch
