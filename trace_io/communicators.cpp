#include "trace_io/communicators.h"

#include <algorithm>
#include <optional>

namespace mqinspect::trace_io {
namespace {

constexpr std::int32_t kNoParent = -1;

// Both sides call these on communicators of their own, so that parents and ordinals differ.
bool joins_strangers(const model::CommunicatorRecord& record) {
    return record.constructor == "MPI_Intercomm_create" ||
           record.constructor == "MPI_Comm_accept" || record.constructor == "MPI_Comm_connect" ||
           record.constructor.starts_with("MPI_Comm_spawn") ||
           (record.parent == model::kNullHandle && !record.remote_members.empty());
}

}  // namespace

Communicators::Communicators(const std::vector<Place>& places,
                             std::vector<model::RecordedCommunicator>& communicators)
    : places_(places), communicators_(communicators) {
    for (const Place& place : places)
        worlds_[place.world_key] = {place.first_of_world, place.world_size};
}

std::int32_t Communicators::member_of(model::ProcessId process,
                                      std::int64_t world_rank,
                                      const std::vector<std::uint64_t>& foreign) const {
    const Place& place = places_[process.index()];
    if (world_rank >= 0) {
        return world_rank < place.world_size
                   ? place.first_of_world + static_cast<std::int32_t>(world_rank)
                   : -1;
    }
    // -1 - subscript of a pair in `foreign`.
    const auto at = static_cast<std::uint64_t>(-1 - world_rank);
    if (at >= foreign.size() / 2) return -1;
    const auto world = worlds_.find(foreign[2 * at]);
    const std::uint64_t rank = foreign[2 * at + 1];
    if (world == worlds_.end()) return -1;
    const auto [first, size] = world->second;
    return rank < static_cast<std::uint64_t>(size) ? first + static_cast<std::int32_t>(rank) : -1;
}

Communicators::Members Communicators::members_of(
    model::ProcessId process,
    const std::vector<std::array<std::int64_t, 3>>& triplets,
    const std::vector<std::uint64_t>& foreign) const {
    Members members;
    for (const auto& [first, last, step] : triplets) {
        // No group has more members than the run has processes: more is damage.
        for (std::int64_t rank = first;; rank += step) {
            if (members.size() == places_.size()) return members;
            members.push_back(member_of(process, rank, foreign));
            if (step == 0 || (step > 0 ? rank > last - step : rank < last - step)) break;
        }
    }
    return members;
}

std::int32_t Communicators::enter(const model::CommunicatorRecord& record, Key key, bool inter) {
    const auto number = static_cast<std::int32_t>(communicators_.size());
    const auto [place, is_new] = numbers_.emplace(std::move(key), number);
    if (!is_new) return place->second;
    const auto& [parent, ordinal, tag, constructor, members, remote] = place->first;
    model::RecordedCommunicator communicator;
    communicator.id = model::CommunicatorId(number);
    if (parent != kNoParent) communicator.parent = model::CommunicatorId(parent);
    communicator.constructor = record.constructor;
    communicator.inter = inter;
    communicator.topology = record.topology;
    for (const std::int32_t member : members)
        communicator.members.emplace_back(member);
    for (const std::int32_t member : remote)
        communicator.remote_members.emplace_back(member);
    if (record.constructor == "MPI_COMM_WORLD" || record.constructor == "MPI_COMM_SELF") {
        communicator.name = record.constructor;
    }
    communicators_.push_back(std::move(communicator));
    return number;
}

void Communicators::add_neighbours(model::ProcessId process,
                                   const model::CommunicatorRecord& record,
                                   model::RecordedCommunicator& communicator) {
    if (record.topology.empty()) return;
    const auto self = std::ranges::find(communicator.members, process);
    if (self == communicator.members.end()) return;
    const auto at = static_cast<std::size_t>(self - communicator.members.begin());
    communicator.sources.resize(communicator.members.size());
    communicator.destinations.resize(communicator.members.size());
    communicator.sources[at] = record.sources;
    communicator.destinations[at] = record.destinations;
}

Numbering Communicators::add(model::ProcessId process,
                             const ById<model::CommunicatorRecord>& records) {
    Numbering numbering(records.size(), -1);
    std::map<std::pair<Members, Members>, std::int64_t> joined;
    for (std::size_t id = 0; id < records.size(); ++id) {
        if (!records[id]) continue;
        const model::CommunicatorRecord& record = *records[id];
        Members members = members_of(process, record.members, record.foreign);
        Members remote = members_of(process, record.remote_members, record.foreign);
        const bool inter = !remote.empty();
        if (inter && remote < members) members.swap(remote);
        std::int32_t parent = kNoParent;
        if (record.parent >= 0 && static_cast<std::size_t>(record.parent) < id)
            parent = numbering[static_cast<std::size_t>(record.parent)];
        Key key{parent, record.ordinal, record.tag, record.constructor, members, remote};
        if (joins_strangers(record)) {
            const std::int64_t before = joined[{members, remote}]++;
            key = {kNoParent, before, record.tag, "", std::move(members), std::move(remote)};
        }
        numbering[id] = enter(record, std::move(key), inter);
        add_neighbours(process, record, communicators_[static_cast<std::size_t>(numbering[id])]);
    }
    return numbering;
}

}  // namespace mqinspect::trace_io
