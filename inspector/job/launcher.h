/// Which process started a job.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "inspector/job/process_table.h"
#include "inspector/job/proctable.h"
#include "inspector/target/image.h"

namespace mqinspect::job {

struct Launcher {
    pid_t pid = 0;
    std::string name;  ///< of its executable: "mpiexec.hydra"
    /// Its MPIR table; empty: none, or not filled yet.
    std::vector<ProctableEntry> proctable;
    /// Why the table could not be read although there is one; else empty.
    std::string problem;
};

/// True for mpiexec, mpirun and their kin, by the name of the executable.
bool is_launcher_by_name(pid_t pid);

/// The launcher that this process is, by name or by a filled MPIR_proctable.
std::optional<Launcher> as_launcher(pid_t pid, target::ImageStore& images);

/// The nearest launcher among the ancestors of a process.
std::optional<Launcher> launcher_above(const ProcessTable& table,
                                       pid_t pid,
                                       target::ImageStore& images);

/// The launchers below a process that are not below one another.
std::vector<pid_t> launchers_below(const ProcessTable& table, pid_t pid);

/// What a launcher runs: its descendants without those of launchers below it.
std::vector<pid_t> processes_of(const ProcessTable& table, pid_t launcher);

}  // namespace mqinspect::job
