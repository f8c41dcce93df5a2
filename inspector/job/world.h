/// The ranks of a job as their environment tells them, without a launcher's table.
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "inspector/job/process_table.h"
#include "inspector/job/rank_environment.h"
#include "inspector/target/image.h"

namespace mqinspect::job {

/// The processes that share an MPI_COMM_WORLD, as far as they run on this host.
struct World {
    std::string key;
    /// The number of its process group in the launcher, which counts them as it starts
    /// them; 0 if not told.
    int group = 0;
    /// Started by MPI_Comm_spawn.
    bool spawned = false;
    std::optional<int> size;
    std::optional<int> local_size;
    /// By rank: the processes that carry its environment, wrappers before what
    /// they run.
    std::map<int, std::vector<pid_t>> ranks;
};

/// Equal for the processes of one world below one launcher: the connection of
/// their hydra_pmi_proxy, or what the environment has of that kind.
std::string world_key(const ProcessTable& table, pid_t pid, const RankEnvironment& environment);

/// The number of the process group, see World; 0 if not told.
int world_group(const ProcessTable& table, pid_t pid);

/// Sorts the processes in `scope` into worlds, by group, then in order of appearance. Processes
/// without the environment of a rank are left out.
std::vector<World> find_worlds(const ProcessTable& table, std::span<const pid_t> scope);

/// True if the process has loaded an MPI library, or was linked with a static one.
bool is_mpi_process(pid_t pid, target::ImageStore& images);

/// The MPI process among `pids` (parents before children): the innermost that has
/// an MPI library, for a rank may run in a shell or another wrapper. Children that
/// a rank has forked without exec(3) do not count. 0: none.
pid_t choose_mpi_process(const ProcessTable& table,
                         std::span<const pid_t> pids,
                         target::ImageStore& images);

/// The hydra_pmi_proxy that started the process, or 0.
pid_t proxy_of(const ProcessTable& table, pid_t pid);

}  // namespace mqinspect::job
