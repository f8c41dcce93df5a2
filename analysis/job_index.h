/// A snapshot with the lookups that the analysis needs, all checked: a snapshot
/// comes from processes that may be broken in any way.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/compressed_rows.h"
#include "model/job_snapshot.h"
#include "model/worlds.h"

namespace mqinspect::analysis {

/// A rank of the job as a subscript.
using Node = std::uint32_t;

/// Keeps a reference to the snapshot.
class JobIndex {
public:
    explicit JobIndex(const model::JobSnapshot& snapshot);

    const model::JobSnapshot& snapshot() const { return snapshot_; }
    const model::Worlds& worlds() const { return worlds_; }
    /// The world that a rank is of.
    std::size_t world_of(Node node) const { return worlds_.world_of(rank(node).rank); }
    std::size_t size() const { return snapshot_.ranks.size(); }
    const model::RankSnapshot& rank(Node node) const { return snapshot_.ranks[node]; }
    /// A signal has ended the rank, or is about to, while others go on (crashes.h).
    bool crashed(Node node) const { return crashed_[node]; }
    /// What the rank is to the others: one that has crashed has Exited.
    model::RankState state(Node node) const {
        return crashed_[node] ? model::RankState::Exited : rank(node).state;
    }
    /// The call that the rank is blocked in, or null.
    const model::Call* blocked_call(Node node) const;
    /// The function of blocked_call, if it is one of MPI's.
    const std::optional<model::MpiFunction>& function(Node node) const { return functions_[node]; }
    bool in_finalize(Node node) const;
    /// The process has ended or will do no more than end.
    bool ended(Node node) const {
        return state(node) == model::RankState::Exited || in_finalize(node);
    }

    /// The rank's posted receives, or pending sends, are all listed.
    bool receives_known(Node node) const {
        return rank(node).queues_known || rank(node).receives_known;
    }
    bool sends_known(Node node) const { return rank(node).queues_known || rank(node).sends_known; }

    const model::Operation& operation(std::uint32_t index) const {
        return snapshot_.operations[index];
    }
    /// Subscripts of the rank's operations, in the snapshot's order.
    std::span<const std::uint32_t> operations_of(Node node) const { return operations_[node]; }
    /// Null if there is no such operation, or it is another rank's.
    const model::Operation* operation_of(Node node, std::size_t index) const;

    /// Null if there is no such communicator.
    const model::Communicator* communicator(std::optional<model::CommunicatorId> id) const;
    const model::Membership* membership(Node node, model::CommunicatorId id) const;
    /// The rank's part of the window that has this communicator, or null.
    const model::Window* window(Node node, model::CommunicatorId id) const;
    /// The rank's parts of all windows.
    std::vector<const model::Window*> windows_of(Node node) const;
    /// The group that peers count in: the remote one of an intercommunicator.
    /// Null if the rank's side, or the communicator, is not known.
    const std::vector<model::WorldRank>* peers(Node node, model::CommunicatorId id) const;
    /// The rank as a subscript, if it is one of this job.
    std::optional<Node> node(std::optional<model::WorldRank> rank) const;
    /// The peer that the rank `asking` names so.
    std::optional<Node> peer(Node asking,
                             std::optional<model::CommunicatorId> id,
                             const model::Peer& given) const;
    /// Source or destination of an operation.
    std::optional<Node> peer(const model::Operation& operation) const;
    /// True if the peer is known to be a process of another job.
    bool is_foreign(Node asking,
                    std::optional<model::CommunicatorId> id,
                    const model::Peer& given) const;
    bool is_foreign(const model::Operation& operation) const;
    /// True if some members of the communicator are processes of another job.
    bool has_foreign_members(std::optional<model::CommunicatorId> id) const;

private:
    std::optional<Node> peer(Node asking,
                             std::optional<model::CommunicatorId> id,
                             std::optional<model::WorldRank> world_rank,
                             std::optional<model::CommRank> comm_rank) const;

    const model::JobSnapshot& snapshot_;
    model::Worlds worlds_;
    std::vector<bool> crashed_;
    CompressedRows operations_;
    std::vector<std::optional<model::MpiFunction>> functions_;
    /// Subscripts of the snapshot's windows, by rank and communicator.
    std::map<std::pair<Node, int>, std::size_t> windows_;
};

}  // namespace mqinspect::analysis
