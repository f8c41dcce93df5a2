#include "analysis/job_index.h"

#include <algorithm>
#include <limits>

#include "analysis/crashes.h"

namespace mqinspect::analysis {

using model::CommunicatorId;
using model::Operation;
using model::WorldRank;

JobIndex::JobIndex(const model::JobSnapshot& snapshot)
    : snapshot_(snapshot),
      worlds_(snapshot),
      crashed_(find_crashed(snapshot)),
      operations_(snapshot.ranks.size()),
      functions_(snapshot.ranks.size()) {
    const auto each = [&](const auto& act) {
        for (std::uint32_t i = 0; i < snapshot_.operations.size(); ++i) {
            if (const auto owner = node(snapshot_.operations[i].rank)) act(*owner, i);
        }
    };
    each([&](Node owner, std::uint32_t) { operations_.count(owner); });
    operations_.start();
    each([&](Node owner, std::uint32_t i) { operations_.add(owner, i); });
    for (std::size_t i = 0; i < snapshot.windows.size(); ++i) {
        const model::Window& window = snapshot.windows[i];
        if (const auto owner = node(window.rank)) {
            windows_.try_emplace({*owner, window.communicator.value}, i);
        }
    }
    for (Node i = 0; i < size(); ++i) {
        if (const auto* call = blocked_call(i)) {
            functions_[i] = model::find_mpi_function(call->function);
        }
    }
}

const model::Call* JobIndex::blocked_call(Node node) const {
    const model::RankSnapshot& rank = snapshot_.ranks[node];
    return state(node) == model::RankState::Blocked && rank.call ? &*rank.call : nullptr;
}

bool JobIndex::in_finalize(Node node) const {
    return functions_[node] && functions_[node]->call_class == model::CallClass::Finalize;
}

const Operation* JobIndex::operation_of(Node node, std::size_t index) const {
    if (index >= snapshot_.operations.size()) return nullptr;
    const Operation& operation = snapshot_.operations[index];
    return operation.rank == snapshot_.ranks[node].rank ? &operation : nullptr;
}

const model::Communicator* JobIndex::communicator(std::optional<CommunicatorId> id) const {
    if (!id || id->value < 0 || id->index() >= snapshot_.communicators.size()) return nullptr;
    return &snapshot_.communicators[id->index()];
}

const model::Membership* JobIndex::membership(Node node, CommunicatorId id) const {
    const auto& memberships = snapshot_.ranks[node].memberships;
    const auto found = std::find_if(memberships.begin(), memberships.end(), [&](const auto& each) {
        return each.communicator == id;
    });
    return found == memberships.end() ? nullptr : &*found;
}

const model::Window* JobIndex::window(Node node, CommunicatorId id) const {
    const auto found = windows_.find({node, id.value});
    return found == windows_.end() ? nullptr : &snapshot_.windows[found->second];
}

std::vector<const model::Window*> JobIndex::windows_of(Node node) const {
    std::vector<const model::Window*> result;
    const auto begin = windows_.lower_bound({node, std::numeric_limits<int>::min()});
    const auto end = windows_.upper_bound({node, std::numeric_limits<int>::max()});
    for (auto each = begin; each != end; ++each)
        result.push_back(&snapshot_.windows[each->second]);
    return result;
}

const std::vector<WorldRank>* JobIndex::peers(Node node, CommunicatorId id) const {
    const model::Communicator* group = communicator(id);
    if (group == nullptr) return nullptr;
    if (!group->inter) return &group->members;
    const model::Membership* own = membership(node, id);
    if (own == nullptr || own->comm_rank.value < 0) return nullptr;
    const std::size_t position = own->comm_rank.index();
    const auto holds = [&](const std::vector<WorldRank>& members) {
        return position < members.size() && members[position] == snapshot_.ranks[node].rank;
    };
    if (holds(group->members)) return &group->remote_members;
    return holds(group->remote_members) ? &group->members : nullptr;
}

std::optional<Node> JobIndex::node(std::optional<WorldRank> rank) const {
    if (!rank || rank->value < 0 || rank->index() >= size()) return std::nullopt;
    return static_cast<Node>(rank->index());
}

std::optional<Node> JobIndex::peer(Node asking,
                                   std::optional<CommunicatorId> id,
                                   std::optional<WorldRank> world_rank,
                                   std::optional<model::CommRank> comm_rank) const {
    if (world_rank) return node(world_rank);
    if (!id || !comm_rank || comm_rank->value < 0) return std::nullopt;
    const auto* group = peers(asking, *id);
    if (group == nullptr || comm_rank->index() >= group->size()) return std::nullopt;
    return node((*group)[comm_rank->index()]);
}

std::optional<Node> JobIndex::peer(Node asking,
                                   std::optional<CommunicatorId> id,
                                   const model::Peer& given) const {
    if (given.kind != model::Peer::Kind::Rank) return std::nullopt;
    return peer(asking, id, given.world_rank, given.rank);
}

bool JobIndex::is_foreign(Node asking,
                          std::optional<CommunicatorId> id,
                          const model::Peer& given) const {
    const model::Communicator* found = communicator(id);
    return found != nullptr && given.kind == model::Peer::Kind::Rank && !given.world_rank &&
           model::is_foreign_peer(*found, rank(asking).rank, given.rank);
}

bool JobIndex::is_foreign(const Operation& operation) const {
    const model::Communicator* found = communicator(operation.communicator);
    return found != nullptr && operation.comm_peer && !operation.world_peer &&
           model::is_foreign_peer(*found, operation.rank, *operation.comm_peer);
}

bool JobIndex::has_foreign_members(std::optional<CommunicatorId> id) const {
    const model::Communicator* found = communicator(id);
    if (found == nullptr) return false;
    const auto holds = [](const std::vector<WorldRank>& members) {
        return std::find(members.begin(), members.end(), model::kUnknownRank) != members.end();
    };
    return holds(found->members) || holds(found->remote_members);
}

std::optional<Node> JobIndex::peer(const Operation& operation) const {
    const auto owner = node(operation.rank);
    if (!owner) return std::nullopt;
    return peer(*owner, operation.communicator, operation.world_peer, operation.comm_peer);
}

}  // namespace mqinspect::analysis
