/// What a launcher left in the environment of a rank.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace mqinspect::job {

struct RankEnvironment {
    int rank = 0;
    /// Of MPI_COMM_WORLD; empty if not told.
    std::optional<int> size;
    /// Ranks of the same world on this host; empty if not told.
    std::optional<int> local_size;
    /// Tells the worlds of one launcher apart, as far as the environment does.
    std::string world;
    /// Started by MPI_Comm_spawn.
    bool spawned = false;
};

/// Knows PMI (MPICH and its kin), PMIx, Open MPI and Slurm. `text` is
/// /proc/PID/environ. Empty: not the environment of a rank.
std::optional<RankEnvironment> parse_rank_environment(std::string_view text);

/// As the process was started with it; inherited by what a rank starts. Empty also
/// for a zombie and a process of somebody else.
std::optional<RankEnvironment> rank_environment_of(pid_t pid);

/// Numbers above are taken for junk: more ranks than any one host could tell of.
inline constexpr int kMaxWorldSize = 1 << 20;

}  // namespace mqinspect::job
