// What a rank's own messages on a communicator say of the collective operations that it
// takes part in.
#include <algorithm>
#include <utility>

#include "analysis/collective_waits.h"

namespace mqinspect::analysis {

using model::CallClass;
using model::Operation;
using model::OperationState;
using model::Queue;
using Mode = WaitForGraph::Mode;

// Traffic of nonblocking operations can't be told from that of the call. MPICH carries
// out a neighborhood collective by one of its own.
bool CollectiveWaits::has_foreign_traffic(Node node,
                                          std::optional<model::CommunicatorId> id,
                                          CallClass call_class) const {
    const auto& own = index_.operations_of(node);
    const auto nonblocking = std::count_if(own.begin(), own.end(), [&](std::uint32_t i) {
        const Operation& operation = index_.operation(i);
        return operation.queue == Queue::Collective && (!id || operation.communicator == *id) &&
               operation.state != OperationState::Complete;
    });
    return nonblocking > (call_class == CallClass::Neighborhood ? 1 : 0);
}

// What the rank's part of the operation waits for now, as far as nothing under way
// will meet it.
CollectiveWaits::Traffic CollectiveWaits::own_traffic(Node node, const Operation& operation) const {
    Traffic result = traffic(node, operation.communicator);
    if (operation.receives_from.empty() && operation.sends_to.empty()) return result;
    std::erase_if(result.peers, [&](Node peer) {
        const model::WorldRank rank = index_.rank(peer).rank;
        const auto names = [&](const std::vector<model::WorldRank>& ranks) {
            return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
        };
        return !names(operation.receives_from) && !names(operation.sends_to);
    });
    return result;
}

CollectiveWaits::Traffic CollectiveWaits::traffic(Node node,
                                                  std::optional<model::CommunicatorId> id,
                                                  bool plain) const {
    Traffic result;
    // Where some queues are hidden, a receive that has met nothing is waited for all the same.
    const bool all_known = index_.rank(node).queues_known;
    for (const std::uint32_t i : index_.operations_of(node)) {
        const Operation& operation = index_.operation(i);
        if (!(operation.collective || plain) || (id && operation.communicator != *id)) continue;
        const bool receive = operation.queue == Queue::PostedReceive;
        if (!receive && (operation.queue != Queue::PendingSend || !all_known)) continue;
        const bool met =
            receive ? matching_.receive_is_met(operation) : matching_.send_is_met(operation);
        const auto peer = index_.peer(operation);
        const bool in_doubt = !met && receive && matching_.receive_may_be_met(operation);
        if (!all_known && (met || in_doubt || !peer || *peer == node)) continue;
        result.any = true;
        if (met) continue;
        if (!peer) result.certain = false;
        if (!peer || *peer == node) continue;
        result.peers.push_back(*peer);
        const auto& other = index_.rank(*peer);
        // Not receives_known: that says nothing of internal receives.
        const bool hidden = index_.state(*peer) == model::RankState::Blocked && !other.queues_known;
        if (!receive && hidden) result.certain = false;
    }
    std::ranges::sort(result.peers);
    result.peers.erase(std::unique(result.peers.begin(), result.peers.end()), result.peers.end());
    return result;
}

std::optional<std::vector<Clause>> CollectiveWaits::by_traffic(Node node,
                                                               const model::Call& call,
                                                               CallClass call_class) const {
    auto where = call.communicator;
    if (is_between_groups(call)) where.reset();
    if (has_foreign_traffic(node, where, call_class)) return std::nullopt;
    // On the communicator that the library uses for a file all messages are its own.
    Traffic evidence = traffic(node, where, call_class == CallClass::FileAccess);
    if (!evidence.any) return std::nullopt;
    if (evidence.peers.empty() && evidence.certain) return std::vector<Clause>{};
    Clause clause;
    clause.call = &call;
    clause.certain = evidence.certain;
    if (evidence.peers.empty()) {
        clause.mode = Mode::Any;
        return std::vector{clause};
    }
    clause.kind = Clause::Kind::Take;
    clause.targets = std::move(evidence.peers);
    return std::vector{clause};
}

}  // namespace mqinspect::analysis
