#include "model/worlds.h"

#include <algorithm>

#include "model/job_snapshot.h"

namespace mqinspect::model {

Worlds::Worlds(const JobSnapshot& snapshot) {
    const auto ranks = static_cast<int>(snapshot.ranks.size());
    firsts_.push_back(0);
    for (const int size : snapshot.world_sizes) {
        if (size <= 0 || size > ranks - firsts_.back()) break;
        firsts_.push_back(firsts_.back() + size);
    }
    if (firsts_.back() != ranks || firsts_.size() != snapshot.world_sizes.size() + 1) {
        firsts_ = {0, ranks};
    }
}

std::size_t Worlds::world_of(WorldRank rank) const {
    const auto after = std::upper_bound(firsts_.begin() + 1, firsts_.end() - 1, rank.value);
    return static_cast<std::size_t>(after - firsts_.begin()) - 1;
}

std::optional<std::size_t> Worlds::world_of(const Communicator& communicator) const {
    const auto& members = communicator.members;
    if (communicator.inter || members.empty() || communicator.name != "MPI_COMM_WORLD") {
        return std::nullopt;
    }
    const std::size_t world = world_of(members.front());
    if (static_cast<int>(members.size()) != size(world)) return std::nullopt;
    int next = firsts_[world];
    const bool all = std::all_of(
        members.begin(), members.end(), [&](WorldRank rank) { return rank.value == next++; });
    return all ? std::optional(world) : std::nullopt;
}

std::string rank_name(const Worlds& worlds, WorldRank rank) {
    if (!worlds.several()) return "rank " + std::to_string(rank.value);
    return "rank " + std::to_string(worlds.rank_in_world(rank)) + " of world " +
           std::to_string(worlds.world_of(rank));
}

std::vector<RanksOfWorld> by_world(const Worlds& worlds, std::span<const WorldRank> ranks) {
    std::vector<RanksOfWorld> result(worlds.count());
    for (std::size_t world = 0; world < result.size(); ++world)
        result[world].world = world;
    for (const WorldRank rank : ranks) {
        if (rank.value < 0) continue;
        result[worlds.world_of(rank)].ranks.push_back(worlds.rank_in_world(rank));
    }
    std::erase_if(result, [](const RanksOfWorld& each) { return each.ranks.empty(); });
    return result;
}

std::string communicator_name(const Worlds& worlds, const Communicator& communicator) {
    if (!worlds.several()) return communicator.name;
    const auto world = worlds.world_of(communicator);
    return world ? communicator.name + " of world " + std::to_string(*world) : communicator.name;
}

}  // namespace mqinspect::model
