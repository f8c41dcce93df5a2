/// Fake jobs for the tests of job discovery.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/unique_fd.h"

namespace mqinspect::job {

/// A command that starts fake ranks, and prints their pids. Ends with its ranks on
/// destruction.
class FakeJob {
public:
    /// `command` is passed to the shell, whose process is replaced by it.
    explicit FakeJob(const std::string& command);
    FakeJob(const FakeJob&) = delete;
    FakeJob& operator=(const FakeJob&) = delete;
    ~FakeJob();

    /// Of the command itself.
    pid_t pid() const { return pid_; }
    /// As it printed them.
    const std::vector<pid_t>& ranks() const { return ranks_; }

private:
    pid_t pid_ = 0;
    UniqueFd input_;
    UniqueFd output_;  ///< open to the end: others may still print
    std::vector<pid_t> ranks_;
};

/// Command lines of the fake launcher: with its symbols, or stripped and named
/// mpiexec.hydra.
std::string launcher(const std::string& options);
std::string stripped_launcher(const std::string& options);
std::string rank_program();

}  // namespace mqinspect::job
