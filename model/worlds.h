/// The MPI_COMM_WORLDs of a job, and what their processes are called.
///
/// A job has several if it spawns processes or if jobs connect (MPI 4.0, 11.8 to
/// 11.10). Numbers of processes run on from world to world, so that those of the first
/// are ranks in its MPI_COMM_WORLD, and in a job of one world all are.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/communicator.h"
#include "model/ids.h"

namespace mqinspect::model {

struct JobSnapshot;

class Worlds {
public:
    /// One world of no process.
    Worlds() : firsts_{0, 0} {}
    /// Sizes that do not add up to the number of ranks are one world.
    explicit Worlds(const JobSnapshot& snapshot);

    std::size_t count() const { return firsts_.size() - 1; }
    bool several() const { return count() > 1; }
    /// Precondition: world < count().
    WorldRank first(std::size_t world) const { return WorldRank(firsts_[world]); }
    int size(std::size_t world) const { return firsts_[world + 1] - firsts_[world]; }
    /// A rank of no world counts as one of the last.
    std::size_t world_of(WorldRank rank) const;
    int rank_in_world(WorldRank rank) const { return rank.value - firsts_[world_of(rank)]; }
    /// The world that this is the MPI_COMM_WORLD of.
    std::optional<std::size_t> world_of(const Communicator& communicator) const;

private:
    std::vector<int> firsts_;  ///< by world the number of its rank 0; then that of ranks
};

/// "rank 3", in a job of several worlds "rank 1 of world 2".
std::string rank_name(const Worlds& worlds, WorldRank rank);

/// Ranks of one world.
struct RanksOfWorld {
    std::size_t world = 0;
    std::vector<int> ranks;  ///< in the world, in the order given
};
/// By world. Ranks of no world are left out.
std::vector<RanksOfWorld> by_world(const Worlds& worlds, std::span<const WorldRank> ranks);

/// The communicator's name, in a job of several worlds "MPI_COMM_WORLD of world 2".
std::string communicator_name(const Worlds& worlds, const Communicator& communicator);

}  // namespace mqinspect::model
