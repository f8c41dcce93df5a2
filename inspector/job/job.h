/// From a pid to the list of a job's ranks.
///
/// Follows "The MPIR Process Acquisition Interface" 1.1 (MPI Forum, 2018) and,
/// where a launcher has no MPIR symbols, the environment that PMI leaves in each
/// rank.
#pragma once

#include <sys/types.h>

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "inspector/target/image.h"
#include "model/ids.h"

namespace mqinspect::job {

struct JobProcess {
    /// In the job: those of the first world come first, in their order.
    model::WorldRank rank;
    /// Of the MPI process itself, also where a shell or another wrapper was started.
    pid_t pid = 0;
    std::string host;
    std::string executable;  ///< resolved through /proc/PID/exe where it lives here
    bool alive = true;       ///< false: ended, or a zombie
    bool local = true;       ///< false: on another host
    std::string problem;     ///< empty, or one line: why this entry is in doubt
};

struct Job {
    pid_t launcher_pid = 0;     ///< 0: none found
    std::string launcher_name;  ///< "mpiexec.hydra", or empty
    /// Where jobs of several launchers were named: the others.
    std::vector<pid_t> other_launchers;
    /// By rank, without gaps. Ranks that were not found are there with a problem and
    /// pid 0: local where all ranks should be on this host, with alive left true, as
    /// nobody has seen them end; else not local, with
    /// an empty host. Its size is the size of all MPI_COMM_WORLDs.
    std::vector<JobProcess> processes;
    /// Of each MPI_COMM_WORLD; empty: there is one.
    std::vector<int> world_sizes;
    std::vector<std::string> problems;  ///< of the job as a whole
};

/// `pids`: one pid of a launcher (mpiexec, mpirun, or a shell or time(1) that
/// runs it as its only descendant of that kind), one pid of any rank, or the pids
/// of several ranks of a job, which are then the whole list. Pids of several jobs give
/// all of these jobs as one, in the order of the pids.
///
/// A proctable is validated against /proc: an entry whose process is gone,
/// appears twice, is no descendant of the launcher or reports another PMI_RANK
/// is kept with a problem, or replaced by the process whose environment names that
/// rank. Processes of MPI_Comm_spawn are worlds of the same job, in the order in which
/// they were spawned, whichever pid was named. Other worlds below a launcher are left
/// out, with a problem of the job; the pid of one of them gives that world. Fails with one clear
/// line: TargetExited: no process of that pid, or a zombie that belongs to no job;
/// PermissionDenied: it belongs to another user;
/// InvalidArgument: it is neither a launcher nor an MPI process.
Result<Job> find_job(std::span<const pid_t> pids, target::ImageStore& images);

}  // namespace mqinspect::job
