#include "analysis/waits.h"

#include <algorithm>
#include <map>
#include <utility>

#include "analysis/collective_waits.h"
#include "analysis/window_waits.h"

namespace mqinspect::analysis {

using model::Call;
using model::CallClass;
using model::Operation;
using model::OperationState;
using model::Peer;
using model::Queue;
using model::RankState;
using Mode = WaitForGraph::Mode;

namespace {

// What one call waits for. No clauses and All: it can go on.
struct CallWait {
    Mode mode = Mode::All;
    std::vector<Clause> clauses;
};

class WaitFinder {
public:
    WaitFinder(const JobIndex& index, const Matching& matching, Waits& waits)
        : index_(index),
          matching_(matching),
          waits_(waits),
          collectives_(index, matching, waits.sets),
          windows_(index, matching) {}

    RankWait find(Node node) {
        const model::RankSnapshot& rank = index_.rank(node);
        RankWait result;
        const RankState state = index_.state(node);
        if (state == RankState::Running) return result;
        result.state = RankWait::State::Blocked;
        if (state == RankState::Exited) {
            result.state = RankWait::State::Ended;
            return result;
        }
        CallWait wait;
        if (state == RankState::Unreadable || !rank.call) {
            wait.clauses.push_back(unknown(nullptr));
        } else {
            wait = find(node, *rank.call);
        }
        // Every thread must be stuck: each of its calls is a way out.
        if (!rank.more_calls.empty() && !can_go_on(wait)) {
            std::vector<Clause> ways{as_one_clause(std::move(wait))};
            for (const Call& call : rank.more_calls) {
                CallWait other = find(node, call);
                if (can_go_on(other)) return RankWait{};
                ways.push_back(as_one_clause(std::move(other)));
            }
            wait = {Mode::Any, std::move(ways)};
        }
        // A message under way counts as available, and no packet says what it holds.
        const bool arriving = rank.incoming_count.value_or(0) > 0;
        if (index_.in_finalize(node)) {
            result.state = RankWait::State::Ended;
            if (arriving) return result;
        } else if (arriving || can_go_on(wait)) {
            return RankWait{};
        }
        result.mode = wait.mode;
        result.clauses = std::move(wait.clauses);
        return result;
    }

private:
    static bool can_go_on(const CallWait& wait) {
        return wait.mode == Mode::All && wait.clauses.empty();
    }

    // The peer is a process of another job: nobody can look at it.
    static Clause foreign(Clause::Kind kind, const Call& call, const Operation* operation) {
        Clause clause = unknown(&call);
        clause.of_foreign = kind;
        clause.operation = operation;
        return clause;
    }

    static Clause unknown(const Call* call) {
        Clause clause;
        clause.mode = Mode::Any;
        clause.certain = false;
        clause.call = call;
        return clause;
    }

    // Waits of a further thread. A call with several conditions fits no single
    // clause unless all must be met; any of the others weakens it to a guess.
    Clause as_one_clause(CallWait wait) const {
        if (wait.clauses.size() == 1) return std::move(wait.clauses.front());
        Clause merged = wait.clauses.front();
        const bool exact =
            std::all_of(wait.clauses.begin(), wait.clauses.end(), [&](const Clause& clause) {
                return clause.mode == wait.mode || targets_of(waits_, clause).size() == 1;
            });
        merged.mode = exact ? wait.mode : Mode::Any;
        merged.targets.clear();
        merged.shared.reset();
        for (const Clause& clause : wait.clauses) {
            const auto targets = targets_of(waits_, clause);
            merged.targets.insert(merged.targets.end(), targets.begin(), targets.end());
            merged.certain = merged.certain && clause.certain && exact;
        }
        std::sort(merged.targets.begin(), merged.targets.end());
        merged.targets.erase(std::unique(merged.targets.begin(), merged.targets.end()),
                             merged.targets.end());
        return merged;
    }

    CallWait find(Node node, const Call& call) {
        const auto function = model::find_mpi_function(call.function);
        if (!function) return {Mode::All, {unknown(&call)}};
        CallWait wait;
        const auto add = [&](std::optional<Clause> clause) {
            if (clause) wait.clauses.push_back(std::move(*clause));
        };
        switch (function->call_class) {
            case CallClass::Local:
                break;
            case CallClass::Send:
                add(send_part(node, call));
                break;
            case CallClass::Receive:
                add(receive_part(node, call));
                break;
            case CallClass::Probe:
                add(by_arguments(node, call, Clause::Kind::Probe));
                break;
            case CallClass::Sendrecv:
                add(send_part(node, call));
                add(receive_part(node, call));
                break;
            case CallClass::WaitOne:
            case CallClass::WaitAll:
                return requests(node, call, Mode::All);
            case CallClass::WaitAny:
            case CallClass::WaitSome:
                return requests(node, call, Mode::Any);
            case CallClass::AllToAll:
            case CallClass::FromRoot:
            case CallClass::ToRoot:
            case CallClass::Prefix:
            case CallClass::Neighborhood:
            case CallClass::FileAccess:
            case CallClass::Connect:
                wait.clauses = collectives_.of_call(node, call, function->call_class);
                break;
            case CallClass::WindowStart:
            case CallClass::WindowWait:
            case CallClass::WindowTarget:
            case CallClass::WindowTargets:
                wait.clauses = windows_.of_call(node, call, function->call_class);
                break;
            case CallClass::Disconnect:
                wait.clauses = disconnect(node, call);
                break;
            case CallClass::Finalize:
                add(collectives_.of_finalize(node, call));
                break;
            case CallClass::OtherBlocking:
                if (auto parts = collectives_.of_part_of_members(node, call)) {
                    wait.clauses = std::move(*parts);
                } else {
                    add(unknown(&call));
                }
                break;
        }
        wait.clauses = collectives_.if_call_lasts(node, call, std::move(wait.clauses));
        return wait;
    }

    const Operation* own(Node node, const Call& call, Queue queue) const {
        for (const std::size_t i : call.operations) {
            const Operation* operation = index_.operation_of(node, i);
            if (operation != nullptr && operation->queue == queue) return operation;
        }
        return nullptr;
    }

    std::optional<Clause> send_part(Node node, const Call& call) const {
        if (const Operation* operation = own(node, call, Queue::PendingSend)) {
            return send(call, *operation);
        }
        // The other part is still listed, so this one is done.
        if (own(node, call, Queue::PostedReceive) != nullptr && index_.sends_known(node)) {
            return std::nullopt;
        }
        if (!call.destination) return unknown(&call);
        if (call.destination->kind == Peer::Kind::ProcNull) return std::nullopt;
        const auto destination = index_.peer(node, call.communicator, *call.destination);
        if (!destination && index_.is_foreign(node, call.communicator, *call.destination)) {
            return foreign(Clause::Kind::Send, call, nullptr);
        }
        if (!destination) return unknown(&call);
        // A receive that only the other's call shows may have met an earlier message.
        if (call.communicator && index_.receives_known(*destination)) {
            const MessageEnvelope message{*call.communicator, false, node, call.send_tag};
            if (matching_.receive_posted(*destination, message)) return std::nullopt;
        }
        return send_to(*destination, call, nullptr);
    }

    std::optional<Clause> send(const Call& call, const Operation& operation) const {
        if (matching_.send_is_met(operation) || operation.mode == model::SendMode::Buffered) {
            return std::nullopt;
        }
        const auto destination = index_.peer(operation);
        if (!destination && index_.is_foreign(operation)) {
            return foreign(Clause::Kind::Send, call, &operation);
        }
        if (!destination) {
            Clause clause = unknown(&call);
            clause.operation = &operation;
            return clause;
        }
        // An eager message goes off as soon as there is room for it.
        const bool eager = operation.protocol == model::Protocol::Eager &&
                           operation.mode != model::SendMode::Synchronous;
        if (eager && index_.state(*destination) != RankState::Exited) return std::nullopt;
        return send_to(*destination, call, &operation);
    }

    Clause send_to(Node destination, const Call& call, const Operation* operation) const {
        Clause clause;
        clause.kind = Clause::Kind::Send;
        clause.targets = {destination};
        clause.call = &call;
        clause.operation = operation;
        clause.certain =
            index_.state(destination) != RankState::Blocked || index_.receives_known(destination);
        return clause;
    }

    std::optional<Clause> receive_part(Node node, const Call& call) {
        const Operation* operation = own(node, call, Queue::PostedReceive);
        if (call.function == "MPI_Mrecv") {
            // The message is there already; its data comes unless its sender is gone.
            const auto sender = operation != nullptr ? index_.peer(*operation) : std::nullopt;
            const bool gone = sender && index_.state(*sender) == RankState::Exited &&
                              operation->state != OperationState::Complete;
            if (!gone) return std::nullopt;
            return receive_from(node, call, operation, receive_envelope(index_, *operation));
        }
        if (operation != nullptr) return receive(node, call, *operation);
        if (own(node, call, Queue::PendingSend) != nullptr && index_.receives_known(node)) {
            return std::nullopt;
        }
        return by_arguments(node, call, Clause::Kind::Receive);
    }

    std::optional<Clause> receive(Node node, const Call& call, const Operation& operation) {
        if (matching_.receive_is_met(operation)) return std::nullopt;
        if (!operation.any_source && index_.is_foreign(operation)) {
            return foreign(Clause::Kind::Receive, call, &operation);
        }
        if (!operation.any_source && !index_.peer(operation)) {
            Clause clause = unknown(&call);
            clause.operation = &operation;
            return clause;
        }
        Clause clause = receive_from(node, call, &operation, receive_envelope(index_, operation));
        clause.certain = clause.certain && !matching_.receive_may_be_met(operation);
        return clause;
    }

    std::optional<Clause> by_arguments(Node node, const Call& call, Clause::Kind kind) {
        if (call.source && call.source->kind == Peer::Kind::ProcNull) return std::nullopt;
        if (call.source && index_.is_foreign(node, call.communicator, *call.source)) {
            return from_foreign(node, call, kind);
        }
        const auto wanted = receive_envelope(index_, node, call);
        if (!wanted) return unknown(&call);
        if (call.source->kind == Peer::Kind::Rank && !wanted->source) return unknown(&call);
        const bool available = matching_.message_available(node, *wanted);
        // Where receives are not known another one may be first.
        if (available && index_.receives_known(node)) return std::nullopt;
        Clause clause = receive_from(node, call, nullptr, *wanted);
        if (clause.kind == Clause::Kind::Receive) clause.kind = kind;
        clause.certain =
            clause.certain && !available && !matching_.message_may_be_available(node, *wanted);
        return clause;
    }

    // A message that has arrived does not need its sender any more.
    std::optional<Clause> from_foreign(Node node, const Call& call, Clause::Kind kind) const {
        for (const std::uint32_t i : index_.operations_of(node)) {
            const Operation& message = index_.operation(i);
            const bool fits = message.queue == Queue::UnexpectedMessage && !message.collective &&
                              message.communicator == call.communicator &&
                              message.comm_peer == call.source->rank &&
                              (!call.receive_tag || message.tag == call.receive_tag);
            if (fits) return std::nullopt;
        }
        return foreign(kind, call, nullptr);
    }

    // The operations that are pending on the communicator, and processes of other worlds.
    std::vector<Clause> disconnect(Node node, const Call& call) {
        std::vector<Clause> clauses;
        for (const std::uint32_t i : index_.operations_of(node)) {
            const Operation& operation = index_.operation(i);
            if (operation.communicator != call.communicator || operation.collective ||
                operation.state == OperationState::Complete) {
                continue;
            }
            std::optional<Clause> clause;
            if (operation.queue == Queue::PostedReceive) clause = receive(node, call, operation);
            if (operation.queue == Queue::PendingSend) clause = send(call, operation);
            if (clause) clauses.push_back(std::move(*clause));
        }
        if (auto clause = collectives_.of_disconnect(node, call)) {
            clauses.push_back(std::move(*clause));
        }
        if (clauses.empty()) clauses.push_back(unknown(&call));
        return clauses;
    }

    Clause receive_from(Node node,
                        const Call& call,
                        const Operation* operation,
                        const ReceiveEnvelope& wanted) {
        Clause clause;
        clause.kind = Clause::Kind::Receive;
        clause.call = &call;
        clause.operation = operation;
        if (wanted.source) {
            clause.targets = {*wanted.source};
            return clause;
        }
        clause.mode = Mode::Any;
        const auto* group = index_.peers(node, wanted.communicator);
        if (group == nullptr) return unknown(&call);
        const std::uint32_t set = possible_senders(*group, wanted.communicator, clause.certain);
        // A rank in its own list is no way out for itself.
        const auto& nodes = waits_.sets[set];
        if (nodes.size() > kListedOnce) {
            clause.shared = SharedTargets{set, static_cast<std::uint32_t>(nodes.size())};
        } else {
            std::copy_if(
                nodes.begin(), nodes.end(), std::back_inserter(clause.targets), [&](Node sender) {
                    return sender != node;
                });
        }
        return clause;
    }

    std::uint32_t possible_senders(const std::vector<model::WorldRank>& group,
                                   model::CommunicatorId id,
                                   bool& certain) {
        const auto [place, is_new] = senders_.try_emplace({&group, id.value});
        if (is_new) {
            std::vector<Node> nodes;
            for (const model::WorldRank rank : group) {
                if (const auto node = index_.node(rank)) {
                    nodes.push_back(*node);
                } else {
                    place->second.certain = false;  // a process that is not in sight may send
                }
            }
            std::sort(nodes.begin(), nodes.end());
            nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
            place->second.set = static_cast<std::uint32_t>(waits_.sets.size());
            waits_.sets.push_back(std::move(nodes));
        }
        certain = place->second.certain;
        return place->second.set;
    }

    CallWait requests(Node node, const Call& call, Mode mode) {
        if (!call.requests) return {Mode::All, {unknown(&call)}};
        CallWait wait{mode, {}};
        for (const model::WaitedRequest& request : *call.requests) {
            // A finished one among several is a persistent one that is not started,
            // or the call would have returned.
            if (request.null || request.finished) continue;
            std::vector<Clause> clauses = of_request(node, call, request);
            if (clauses.empty() && mode == Mode::Any) return {};
            if (clauses.size() > 1 && mode == Mode::Any) {
                clauses = {as_one_clause({Mode::All, std::move(clauses)})};
            }
            std::ranges::move(clauses, std::back_inserter(wait.clauses));
        }
        return wait.clauses.empty() ? CallWait{} : wait;
    }

    // All of the clauses must be met; without any it is done.
    std::vector<Clause> of_request(Node node,
                                   const Call& call,
                                   const model::WaitedRequest& request) {
        const Operation* operation =
            request.operation ? index_.operation_of(node, *request.operation) : nullptr;
        if (operation == nullptr) {
            auto of_window = windows_.of_request(node, call, request.handle);
            return of_window ? std::move(*of_window) : std::vector{unknown(&call)};
        }
        if (operation->function == "MPI_Isendrecv" && operation->queue == Queue::Collective) {
            return of_parts(node, call, *operation);
        }
        if (operation->queue == Queue::Collective) {
            return collectives_.of_operation(node, call, *operation);
        }
        auto clause = of_message(node, call, *operation);
        return clause ? std::vector{std::move(*clause)} : std::vector<Clause>{};
    }

    // A part that is done is no longer listed.
    std::vector<Clause> of_parts(Node node, const Call& call, const Operation& whole) {
        std::vector<Clause> clauses;
        if (whole.state == OperationState::Complete) return clauses;
        if (!whole.request || !index_.receives_known(node) || !index_.sends_known(node)) {
            clauses.push_back(unknown(&call));
        }
        for (const std::uint32_t i : index_.operations_of(node)) {
            const Operation& part = index_.operation(i);
            if (!part.part_of || part.part_of != whole.request) continue;
            if (auto clause = of_message(node, call, part)) clauses.push_back(std::move(*clause));
        }
        return clauses;
    }

    std::optional<Clause> of_message(Node node, const Call& call, const Operation& operation) {
        if (operation.queue == Queue::PostedReceive) return receive(node, call, operation);
        if (operation.queue == Queue::PendingSend) return send(call, operation);
        return unknown(&call);
    }

    struct Senders {
        std::uint32_t set = 0;
        bool certain = true;
    };

    const JobIndex& index_;
    const Matching& matching_;
    Waits& waits_;
    CollectiveWaits collectives_;
    WindowWaits windows_;
    std::map<std::pair<const void*, int>, Senders> senders_;
};

}  // namespace

std::vector<Node> targets_of(const Waits& waits, const Clause& clause) {
    if (!clause.shared) return clause.targets;
    const auto& set = waits.sets[clause.shared->set];
    std::vector<Node> targets(set.begin(), set.begin() + clause.shared->length);
    std::sort(targets.begin(), targets.end());
    return targets;
}

Waits find_waits(const JobIndex& index, const Matching& matching) {
    Waits waits;
    waits.ranks.reserve(index.size());
    WaitFinder finder(index, matching, waits);
    for (Node node = 0; node < index.size(); ++node)
        waits.ranks.push_back(finder.find(node));
    return waits;
}

}  // namespace mqinspect::analysis
