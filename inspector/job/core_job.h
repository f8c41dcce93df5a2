/// From core files to the ranks of a job.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "inspector/job/job.h"
#include "inspector/target/core_process.h"

namespace mqinspect::job {

/// A job, and what is left of its processes.
struct CoreJob {
    Job job;
    /// By rank, as job.processes; empty: there is no core of that rank.
    std::vector<std::optional<target::CoreProcess>> cores;
};

/// The ranks of a job from its core files. Which rank a core is of is told by the
/// environment that the launcher gave it, else by the MPI library's variables in it; so is
/// the number of ranks. Ranks without a core are there with a problem.
///
/// Fails with one clear line: InvalidArgument: `executable` ran in none of the cores, is
/// a core itself, two cores are of the same rank, or of jobs of different sizes, or no
/// core's rank is known; otherwise as target::open_core, for a core that cannot be read.
/// A core of an unknown rank is that of the only one without a core, else it is left out;
/// the job has a problem that says so.
Result<CoreJob> find_core_job(const std::filesystem::path& executable,
                              std::span<const std::filesystem::path> cores,
                              target::ImageStore& images);

}  // namespace mqinspect::job
