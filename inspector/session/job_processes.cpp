#include "inspector/session/job_processes.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

namespace mqinspect::session {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

Error failed(const char* what) {
    const ErrorCode code = errno == EPERM ? ErrorCode::PermissionDenied : ErrorCode::System;
    return Error{code, std::string(what) + ": " + std::strerror(errno)};
}

// By their numbers: the header of glibc 2.36 declares the wrappers without C linkage.
UniqueFd open_process(pid_t pid) {
    return UniqueFd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
}

Result<Done> add(pid_t pid, std::vector<UniqueFd>& processes) {
    if (pid <= 0) return Done{};
    UniqueFd process = open_process(pid);
    if (process.get() < 0 && errno != ESRCH) return failed("cannot watch the job's processes");
    if (process.get() >= 0) processes.push_back(std::move(process));
    return Done{};
}

/// Waits for it so long.
bool has_ended(const UniqueFd& process, milliseconds limit) {
    pollfd ended{process.get(), POLLIN, 0};
    return poll(&ended, 1, static_cast<int>(std::max<long>(limit.count(), 0))) > 0;
}

Result<Done> send(int signal, const std::vector<UniqueFd>& processes) {
    for (const UniqueFd& process : processes) {
        const long sent = syscall(SYS_pidfd_send_signal, process.get(), signal, nullptr, 0);
        if (sent != 0 && errno != ESRCH) return failed("cannot kill the job");
    }
    return Done{};
}

}  // namespace

Result<JobProcesses> JobProcesses::open(const job::Job& job) {
    JobProcesses processes;
    for (const job::JobProcess& process : job.processes) {
        if (process.alive && process.local) TRY(add(process.pid, processes.ranks_));
    }
    TRY(add(job.launcher_pid, processes.launchers_));
    for (const pid_t pid : job.other_launchers)
        TRY(add(pid, processes.launchers_));
    return processes;
}

bool JobProcesses::all_ended() const {
    return std::ranges::all_of(
        ranks_, [](const UniqueFd& process) { return has_ended(process, milliseconds(0)); });
}

bool JobProcesses::wait_for(const std::vector<UniqueFd>& processes, milliseconds limit) {
    const auto deadline = steady_clock::now() + limit;
    return std::ranges::all_of(processes, [&](const UniqueFd& process) {
        for (;;) {
            const auto left =
                std::chrono::duration_cast<milliseconds>(deadline - steady_clock::now());
            if (has_ended(process, left)) return true;
            if (left.count() <= 0) return false;
        }
    });
}

Result<Done> JobProcesses::kill(milliseconds patience) const {
    if (!launchers_.empty()) {
        TRY(send(SIGTERM, launchers_));
        if (wait_for(ranks_, patience) && wait_for(launchers_, patience)) return Done{};
    }
    TRY(send(SIGKILL, ranks_));
    TRY(send(SIGKILL, launchers_));
    if (wait_for(ranks_, patience)) return Done{};
    return Error{ErrorCode::System, "some ranks do not end"};
}

}  // namespace mqinspect::session
