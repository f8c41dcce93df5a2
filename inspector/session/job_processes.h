/// The processes of a job, held by descriptors that no later process can take over.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "inspector/job/job.h"

namespace mqinspect::session {

/// The ranks of a job that run on this host, and its launchers (pidfd_open(2)).
class JobProcesses {
public:
    /// Processes that are gone already are left out. System: no descriptor can be had.
    static Result<JobProcesses> open(const job::Job& job);

    /// True once no rank is left. A zombie is not left.
    bool all_ended() const;

    /// Asks the launchers to end the job (SIGTERM), so that they tidy up; after
    /// `patience` kills what is left of ranks and launchers (SIGKILL), and waits again.
    /// System: something is left even then; PermissionDenied.
    Result<Done> kill(std::chrono::milliseconds patience) const;

private:
    /// True if they have all ended before the time is over.
    static bool wait_for(const std::vector<UniqueFd>& processes, std::chrono::milliseconds limit);

    std::vector<UniqueFd> ranks_;
    std::vector<UniqueFd> launchers_;
};

}  // namespace mqinspect::session
