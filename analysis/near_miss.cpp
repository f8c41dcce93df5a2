#include "analysis/near_miss.h"

#include <algorithm>

#include "analysis/wording.h"

namespace mqinspect::analysis {

using model::Operation;
using model::OperationState;
using model::Queue;

namespace {

constexpr std::size_t kMostLines = 4;
constexpr std::size_t kMostCandidates = 256;

void add(std::vector<std::string>& lines, std::string line) {
    if (lines.size() >= kMostLines) return;
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) {
        lines.push_back(std::move(line));
    }
}

template <class Range>
auto first_few(const Range& range) {
    return range.first(std::min(range.size(), kMostCandidates));
}

}  // namespace

std::vector<std::string> NearMisses::find(Node node, const Clause& clause) {
    Lines lines;
    switch (clause.kind) {
        case Clause::Kind::Receive:
        case Clause::Kind::Probe:
            receives(node, clause, lines);
            break;
        case Clause::Kind::Send:
            sends(node, clause, lines);
            break;
        case Clause::Kind::Enter:
        case Clause::Kind::Start:
            collective(clause, lines);
            schedule(clause, lines);
            break;
        case Clause::Kind::Take:
            roots(node, clause, lines);
            break;
        case Clause::Kind::Post:
        case Clause::Kind::Complete:
        case Clause::Kind::Unlock:
        case Clause::Kind::Progress:
        case Clause::Kind::Initialize:
        case Clause::Kind::Finalize:
        case Clause::Kind::Something:
        case Clause::Kind::Other:
            break;
    }
    return lines;
}

void NearMisses::receives(Node node, const Clause& clause, Lines& lines) const {
    const auto wanted = clause.operation != nullptr
                            ? std::optional(receive_envelope(index_, *clause.operation))
                            : receive_envelope(index_, node, *clause.call);
    if (!wanted) return;
    for (const std::uint32_t i : first_few(index_.operations_of(node))) {
        const Operation& operation = index_.operation(i);
        const bool there = operation.queue == Queue::UnexpectedMessage &&
                           operation.state == OperationState::Pending;
        if (there) candidate_message(operation, *wanted, clause, lines);
    }
    for (const std::uint32_t i : first_few(matching_.sends_to(node))) {
        const Operation& operation = index_.operation(i);
        if (matching_.send_is_met(operation)) continue;
        candidate_message(operation, *wanted, clause, lines);
    }
}

void NearMisses::candidate_message(const Operation& message,
                                   const ReceiveEnvelope& wanted,
                                   const Clause& clause,
                                   Lines& lines) const {
    const auto envelope = message_envelope(index_, message);
    if (!envelope || envelope->collective || !envelope->tag) return;
    const bool same_source = !wanted.source || *wanted.source == envelope->source;
    const bool same_tag = !wanted.tag || *wanted.tag == *envelope->tag;
    const bool same_communicator = wanted.communicator == envelope->communicator;
    if (same_source + same_tag + same_communicator != 2) return;

    std::string line = rank_text(index_, envelope->source) + " has sent a message ";
    if (!same_source) {
        add(lines, line + "that fits, but the receive is for " + rank_text(index_, *wanted.source));
        return;
    }
    line += tag_text(envelope->tag, false) + " on ";
    line += same_communicator ? "the same communicator"
                              : communicator_text(index_, envelope->communicator);
    const auto buffer = clause.operation != nullptr ? clause.operation->bytes : std::nullopt;
    if (buffer && message.bytes && *message.bytes > *buffer) {
        line += ", longer (" + std::to_string(*message.bytes) + " bytes) than the buffer (" +
                std::to_string(*buffer) + ")";
    }
    add(lines, line);
}

void NearMisses::sends(Node node, const Clause& clause, Lines& lines) const {
    const Node destination = clause.targets.front();
    const auto& call = *clause.call;
    const auto communicator = clause.operation != nullptr
                                  ? std::optional(clause.operation->communicator)
                                  : call.communicator;
    const auto tag = clause.operation != nullptr ? clause.operation->tag : call.send_tag;
    if (!communicator || !tag) return;
    const auto candidate = [&](const ReceiveEnvelope& receive) {
        if (receive.collective) return;
        const bool same_source = !receive.source || *receive.source == node;
        const bool same_tag = !receive.tag || *receive.tag == *tag;
        const bool same_communicator = receive.communicator == *communicator;
        if (same_source + same_tag + same_communicator != 2) return;
        std::string line = rank_text(index_, destination) + " has posted a receive ";
        if (!same_source) {
            add(lines, line + "that fits, but from " + rank_text(index_, *receive.source));
            return;
        }
        line += tag_text(receive.tag, !receive.tag) + " on ";
        line += same_communicator ? "the same communicator"
                                  : communicator_text(index_, receive.communicator);
        add(lines, line);
    };
    for (const std::uint32_t i : first_few(index_.operations_of(destination))) {
        const Operation& operation = index_.operation(i);
        const bool probed = operation.queue == Queue::UnexpectedMessage &&
                            operation.state == OperationState::Matched &&
                            operation.communicator == *communicator && operation.tag == tag &&
                            index_.peer(operation) == node;
        if (probed) {
            add(lines,
                rank_text(index_, destination) +
                    " has taken such a message with a matched probe, and not received it");
        }
        const bool open =
            operation.queue == Queue::PostedReceive && operation.state == OperationState::Pending;
        if (open) candidate(receive_envelope(index_, operation));
    }
    const auto* other = index_.blocked_call(destination);
    if (index_.receives_known(destination) || other == nullptr) return;
    if (const auto receive = receive_envelope(index_, destination, *other)) candidate(*receive);
}

void NearMisses::collective(const Clause& clause, Lines& lines) {
    if (!clause.shared) {
        lines = absent_members(clause);
        return;
    }
    // Prefixes of a set differ little; all of them get the lines of the first seen.
    const auto [place, is_new] = by_set_.try_emplace(clause.shared->set);
    if (is_new) place->second = absent_members(clause);
    lines = place->second;
}

// A started operation may wait for a member that waits for the absent one.
void NearMisses::schedule(const Clause& clause, Lines& lines) const {
    if (clause.operation == nullptr) return;
    std::vector<Node> peers;
    for (const auto* ranks : {&clause.operation->receives_from, &clause.operation->sends_to}) {
        for (const model::WorldRank rank : *ranks) {
            if (const auto node = index_.node(rank)) peers.push_back(*node);
        }
    }
    std::sort(peers.begin(), peers.end());
    peers.erase(std::unique(peers.begin(), peers.end()), peers.end());
    if (peers.empty() || peers == targets_of(waits_, clause)) return;
    add(lines,
        "its own part of the operation now waits for " +
            ranks_text(index_, std::span<const Node>(peers)));
}

std::vector<std::string> NearMisses::absent_members(const Clause& clause) const {
    Lines lines;
    const bool start = clause.kind == Clause::Kind::Start;
    const auto id =
        start ? std::optional(clause.operation->communicator) : clause.call->communicator;
    const auto* communicator = index_.communicator(id);
    if (communicator == nullptr) return lines;
    const std::vector<Node> absent = targets_of(waits_, clause);
    const std::size_t members = communicator->members.size() + communicator->remote_members.size();
    const bool all_known = !index_.has_foreign_members(id);
    if (all_known && clause.shared && absent.size() * 2 < members) {
        add(lines,
            "all members but " + ranks_text(index_, absent) + " have " +
                (start ? "started it"
                       : "entered " + clause.call->function + " on " +
                             communicator_text(index_, id)));
    }
    for (const Node node : first_few(std::span<const Node>(absent))) {
        const auto* call = index_.blocked_call(node);
        const auto& function = index_.function(node);
        if (call == nullptr || !function || !model::is_collective(function->call_class)) continue;
        const bool same = call->communicator == id;
        const bool same_function = call->function == clause.call->function;
        if (same == same_function) continue;  // there, or somewhere else altogether
        add(lines,
            rank_text(index_, node) + " is in " + call->function + " on " +
                (same ? "the same communicator" : communicator_text(index_, call->communicator)));
    }
    return lines;
}

// Peers of a collective operation's internal traffic: in another operation, or in
// the same with another root.
void NearMisses::roots(Node node, const Clause& clause, Lines& lines) const {
    if (clause.operation != nullptr) return;
    const auto* call = clause.call;
    for (const std::string& line : absent_members(clause))
        add(lines, line);
    if (!call->root) return;
    const auto own_root = index_.peer(node, call->communicator, *call->root);
    for (const Node target : clause.targets) {
        const auto* other = index_.blocked_call(target);
        const bool same_operation = other != nullptr && other->function == call->function &&
                                    other->communicator == call->communicator;
        if (!same_operation || !other->root) continue;
        const auto root = index_.peer(target, other->communicator, *other->root);
        if (root && own_root && root != own_root) {
            add(lines,
                rank_text(index_, target) + " names " + rank_text(index_, *root) +
                    " as the root, not " + rank_text(index_, *own_root));
        }
    }
}

}  // namespace mqinspect::analysis
