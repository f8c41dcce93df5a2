/// A job for Python: a session that any thread may ask.
#pragma once

#include <sys/types.h>

#include <mutex>
#include <optional>
#include <vector>

#include "inspector/session/session.h"

namespace mqinspect::python {

/// Each look stops the ranks, reads them and lets them go in the thread that asks for
/// it, as ptrace(2) demands; one look at a time. Needs no GIL.
class Job {
public:
    /// Throws Failure, as Session::attach fails.
    /// Types that the options do not name are those of the environment.
    Job(std::vector<pid_t> pids, session::SessionOptions options);

    /// Throws Failure with InvalidArgument once the job is closed.
    session::Findings look();
    /// By rank; 0 for a rank that has no process here. Throws as `look`.
    std::vector<pid_t> pids();
    /// Frees what was read of the processes. Idempotent.
    void close();
    bool closed();

private:
    session::Session& session();

    std::mutex mutex_;
    std::vector<pid_t> pids_;
    session::SessionOptions options_;
    std::optional<session::Session> session_;
    bool attach_again_ = false;
};

}  // namespace mqinspect::python
