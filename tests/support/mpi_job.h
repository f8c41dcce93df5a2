/// A real MPI job for the time of a test.
#pragma once

#include <string>
#include <vector>

#include "tests/support/child_process.h"

namespace mqinspect::testing {

struct MpiJobOptions {
    int ranks = 2;
    std::vector<std::string> command;           ///< of every rank
    std::vector<std::string> launcher_options;  ///< before "-n"
    std::vector<std::string> environment;       ///< NAME=VALUE
    std::string mpiexec;                        ///< empty: that of the MPICH we build
};

/// Of Open MPI, whose messages its layer ob1 matches, as its debugger DLL needs it.
MpiJobOptions open_mpi_job(const std::string& mpirun, int ranks, std::vector<std::string> command);

/// `mpiexec -n N COMMAND`, killed with all its ranks at the end of its life.
///
/// The programs of tests/programs stay in their situation until release().
class MpiJob {
public:
    explicit MpiJob(const MpiJobOptions& options);

    pid_t launcher_pid() const { return launcher_.pid(); }
    /// Of the processes that have called or will call MPI_Init, by world, then by rank;
    /// shells and other wrappers are left out. Ranks that do not exist (yet) are missing.
    std::vector<pid_t> rank_pids() const;
    /// Waits until all ranks have a process.
    bool wait_for_ranks(milliseconds limit) const;
    /// Lets ranks go on that are in compute_until_released().
    void release() const;
    std::optional<ExitStatus> wait_for_exit(milliseconds limit) {
        return launcher_.wait_for_exit(limit);
    }
    std::string output() const { return launcher_.output(); }
    std::string errors() const { return launcher_.errors(); }
    /// How many ranks have printed that they finished.
    int finished_ranks() const;

private:
    std::vector<std::string> environment() const;

    int ranks_;
    TemporaryDirectory directory_;
    ChildProcess launcher_;
};

}  // namespace mqinspect::testing
