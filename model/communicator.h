/// A communicator of the job, merged from what each member knows of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/ids.h"

namespace mqinspect::model {

/// One communicator, whatever the number of ranks that hold a handle to it.
///
/// An intercommunicator has two groups; `members` is the one with the smallest
/// world rank. Each member's local group is the one that contains it.
struct Communicator {
    CommunicatorId id;
    /// MPI_Comm_set_name's text, or one made up by the debugger DLL.
    std::string name;
    bool inter = false;
    /// Made by the MPI library for its own use.
    bool internal = false;
    /// World ranks by rank in the communicator; kUnknownRank for a foreign process.
    std::vector<WorldRank> members;
    /// The other group of an intercommunicator, else empty.
    std::vector<WorldRank> remote_members;

    friend bool operator==(const Communicator&, const Communicator&) = default;
};

/// The group that peers of this member count in: the remote one of an intercommunicator,
/// else the members.
inline const std::vector<WorldRank>& peer_group(const Communicator& communicator, WorldRank rank) {
    const auto& members = communicator.members;
    const bool is_member = std::find(members.begin(), members.end(), rank) != members.end();
    return communicator.inter && is_member ? communicator.remote_members : members;
}

/// True if it is known that the peer of this member is a process of another job.
inline bool is_foreign_peer(const Communicator& communicator, WorldRank rank, CommRank peer) {
    const std::vector<WorldRank>& group = peer_group(communicator, rank);
    return peer.value >= 0 && peer.index() < group.size() && group[peer.index()] == kUnknownRank;
}

/// What one rank says of a communicator it is in.
struct Membership {
    CommunicatorId communicator;
    CommRank comm_rank;
    /// The MPI_Comm in this process, 0 if unknown. Differs between ranks.
    std::uint64_t handle = 0;
    /// Address of the MPI library's object, 0 if unknown.
    std::uint64_t address = 0;
    /// How many nonblocking collectives this rank has started on it.
    std::optional<std::int64_t> collectives_started;

    friend bool operator==(const Membership&, const Membership&) = default;
};

}  // namespace mqinspect::model
