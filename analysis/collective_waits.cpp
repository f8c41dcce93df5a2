#include "analysis/collective_waits.h"

#include <algorithm>
#include <string>
#include <utility>

namespace mqinspect::analysis {

using model::CallClass;
using model::Operation;
using model::OperationState;
using model::Peer;
using model::Queue;
using Mode = WaitForGraph::Mode;

namespace {

// Parts of others that one rank's part is followed through: chains are as long as the
// algorithms have rounds.
constexpr std::size_t kMostParts = 64;

void sort_distinct(std::vector<Node>& nodes) {
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

// Nonblocking collectives that every member waits for every other in.
bool synchronizes(std::string_view function) {
    if (!function.starts_with("MPI_I") || function.size() < 6) return false;
    std::string blocking = "MPI_" + std::string(function.substr(5));
    blocking[4] = static_cast<char>(blocking[4] - 'a' + 'A');
    const auto found = model::find_mpi_function(blocking);
    return found && found->call_class == CallClass::AllToAll;
}

}  // namespace

bool is_initialization(std::string_view function) {
    return function == "MPI_Init" || function == "MPI_Init_thread";
}

bool is_between_groups(const model::Call& call) {
    return call.function == "MPI_Intercomm_create";
}

CollectiveWaits::CollectiveWaits(const JobIndex& index,
                                 const Matching& matching,
                                 std::vector<std::vector<Node>>& sets)
    : index_(index), matching_(matching), sets_(sets) {
    find_groups();
}

void CollectiveWaits::find_groups() {
    for (Node node = 0; node < index_.size(); ++node) {
        if (const auto* call = index_.blocked_call(node)) add_to_group(*call);
        for (const model::Call& call : index_.rank(node).more_calls)
            add_to_group(call);
    }
}

void CollectiveWaits::add_to_group(const model::Call& call) {
    if (index_.communicator(call.communicator) == nullptr) return;
    const auto function = model::find_mpi_function(call.function);
    if (!function || !model::is_collective(function->call_class)) return;
    Group& group = groups_[{call.communicator->value, call.function}];
    if (!call.root || call.root->kind != Peer::Kind::Rank) return;
    if (group.root && group.root->rank != call.root->rank) group.roots_differ = true;
    group.root = call.root;
}

bool CollectiveWaits::is_in(Node node, const GroupKey& key) const {
    const auto fits = [&](const model::Call& call) {
        return call.communicator && call.communicator->value == key.first &&
               call.function == key.second;
    };
    const model::Call* call = index_.blocked_call(node);
    const auto& more = index_.rank(node).more_calls;
    return (call != nullptr && fits(*call)) || std::any_of(more.begin(), more.end(), fits);
}

std::vector<Node> CollectiveWaits::members(const model::Communicator& communicator) const {
    std::vector<Node> nodes;
    for (const auto* group : {&communicator.members, &communicator.remote_members}) {
        for (const model::WorldRank rank : *group) {
            if (const auto node = index_.node(rank)) nodes.push_back(*node);
        }
    }
    sort_distinct(nodes);
    return nodes;
}

std::uint32_t CollectiveWaits::add_set(std::vector<Node> nodes) {
    sets_.push_back(std::move(nodes));
    return static_cast<std::uint32_t>(sets_.size() - 1);
}

std::uint32_t CollectiveWaits::absent(const GroupKey& key, Group& group) {
    if (!group.absent) {
        auto nodes = members(*index_.communicator(model::CommunicatorId(key.first)));
        std::erase_if(nodes, [&](Node node) { return is_in(node, key); });
        group.absent = add_set(std::move(nodes));
    }
    return *group.absent;
}

Clause CollectiveWaits::whole_set(std::uint32_t set,
                                  Clause::Kind kind,
                                  const model::Call& call) const {
    Clause clause;
    clause.kind = kind;
    clause.shared = SharedTargets{set, static_cast<std::uint32_t>(sets_[set].size())};
    clause.call = &call;
    return clause;
}

// Nobody leaves before all have entered. `unknown`: what to say for want of knowledge.
std::vector<Clause> CollectiveWaits::of_synchronizing(Node node,
                                                      const model::Call& call,
                                                      CallClass call_class,
                                                      const Clause& unknown) {
    const GroupKey key{call.communicator->value, call.function};
    Group& group = groups_[key];
    const std::uint32_t not_here = absent(key, group);
    const FencePart part = fence_part(node, call);
    if (part == FencePart::Second) return {};
    if (part == FencePart::First && !sets_[not_here].empty()) {
        return {whole_set(not_here, Clause::Kind::Enter, call)};
    }
    const std::uint32_t to_come = late(node, key, group);
    if (!sets_[to_come].empty()) return {whole_set(to_come, Clause::Kind::Enter, call)};
    const bool out_of_sight = unknown.of_foreign != Clause::Kind::Other;
    const bool between_groups = is_between_groups(call) || out_of_sight;
    if (sets_[not_here].empty() && !between_groups) return {};
    if (auto parts = by_traffic(node, call, call_class)) return *parts;
    // With nothing under way it is about to leave.
    const bool nothing_under_way = index_.rank(node).queues_known && !between_groups &&
                                   !has_foreign_traffic(node, call.communicator, call_class);
    if (nothing_under_way) return {};
    return between_groups ? std::vector{unknown} : if_it_lasts(node, call, call_class, unknown);
}

Clause CollectiveWaits::not_known(const model::Call& call) const {
    Clause unknown;
    unknown.certain = false;
    unknown.mode = Mode::Any;
    unknown.call = &call;
    if (index_.has_foreign_members(call.communicator)) unknown.of_foreign = Clause::Kind::Enter;
    return unknown;
}

std::vector<Clause> CollectiveWaits::of_call(Node node,
                                             const model::Call& call,
                                             CallClass call_class) {
    if (is_initialization(call.function)) {
        Clause clause = initialize(node, call);
        if (clause.shared->length > 0) return {clause};
        // A spawned world also waits for those that have spawned it.
        if (index_.world_of(node) == 0) return {};
    }
    Clause unknown = not_known(call);
    if (index_.communicator(call.communicator) == nullptr) return {unknown};

    const GroupKey key{call.communicator->value, call.function};
    Group& group = groups_[key];
    const bool foreign = index_.has_foreign_members(call.communicator);
    const bool connects = call_class == CallClass::Connect;
    if (connects) unknown.of_foreign = Clause::Kind::Enter;
    if (call_class == CallClass::AllToAll || connects) {
        return of_synchronizing(node, call, call_class, unknown);
    }
    const bool all_here = sets_[absent(key, group)].empty() && !foreign;
    if (all_here && !group.roots_differ) return {};
    if (auto parts = by_traffic(node, call, call_class)) return *parts;
    const auto by_rule_clause = by_rule(node, call, call_class, key, group);
    if (by_rule_clause) {
        const bool nobody = by_rule_clause->shared && by_rule_clause->shared->length == 0;
        if (group.roots_differ && !index_.rank(node).queues_known)
            return if_it_lasts(node, call, call_class, unknown);
        if (nobody) return {};
        return if_it_lasts(node, call, call_class, *by_rule_clause);
    }
    // It has nothing under way on the communicator: it is about to leave.
    const bool leaves = call_class != CallClass::Neighborhood &&
                        call_class != CallClass::FileAccess && index_.rank(node).queues_known;
    if (leaves) return {};
    return if_it_lasts(node, call, call_class, unknown);
}

std::optional<std::vector<Clause>> CollectiveWaits::of_part_of_members(Node node,
                                                                       const model::Call& call) {
    if (call.function != "MPI_Comm_create_group") return std::nullopt;
    if (index_.communicator(call.communicator) == nullptr) return std::nullopt;
    if (auto parts = by_traffic(node, call, CallClass::AllToAll)) return parts;
    return if_it_lasts(node, call, CallClass::OtherBlocking, not_known(call));
}

std::uint32_t CollectiveWaits::late(Node node, const GroupKey& key, Group& group) {
    const auto& communicator = *index_.communicator(model::CommunicatorId(key.first));
    const auto& remote = communicator.remote_members;
    const bool in_remote =
        std::find(remote.begin(), remote.end(), index_.rank(node).rank) != remote.end();
    auto& result = group.late[in_remote ? 1 : 0];
    if (!result) {
        auto nodes = find_late(key, sets_[absent(key, group)]);
        if (communicator.inter) {
            const auto& awaited = in_remote ? communicator.members : remote;
            std::erase_if(nodes, [&](Node other) {
                return std::find(awaited.begin(), awaited.end(), index_.rank(other).rank) ==
                       awaited.end();
            });
        }
        result = add_set(std::move(nodes));
    }
    return *result;
}

// All members that are in the operation are asked, since those that wait for each
// other show nothing of the one that holds them all up.
std::vector<Node> CollectiveWaits::find_late(const GroupKey& key,
                                             const std::vector<Node>& absent) const {
    if (absent.empty()) return {};
    const model::CommunicatorId id(key.first);
    const model::Communicator& communicator = *index_.communicator(id);
    bool traffic_seen = false;
    std::vector<Node> awaited;
    for (const Node node : members(communicator)) {
        if (!is_in(node, key)) continue;
        const auto& rank = index_.rank(node);
        if (!rank.queues_known) return absent;
        const Traffic evidence = traffic(node, id);
        traffic_seen |= evidence.any;
        // What it waits for may lie in the packets that it has not looked at yet.
        if (rank.incoming_count.value_or(0) > 0) continue;
        if (has_foreign_traffic(node, id, CallClass::AllToAll)) continue;
        std::set_intersection(evidence.peers.begin(),
                              evidence.peers.end(),
                              absent.begin(),
                              absent.end(),
                              std::back_inserter(awaited));
    }
    sort_distinct(awaited);
    // Who connects may wait for the other side, and be the last one to leave.
    const auto function = model::find_mpi_function(key.second);
    const bool connects = function && function->call_class == CallClass::Connect;
    if (!traffic_seen && connects) return {};
    const bool all = !traffic_seen || (!communicator.inter && !awaited.empty());
    return all ? absent : awaited;
}

// What the operation's meaning says, for want of evidence.
std::optional<Clause> CollectiveWaits::by_rule(
    Node node, const model::Call& call, CallClass call_class, const GroupKey& key, Group& group) {
    if (call_class == CallClass::Neighborhood || call_class == CallClass::FileAccess) {
        return std::nullopt;
    }
    Clause clause = whole_set(absent(key, group), Clause::Kind::Enter, call);
    clause.certain = false;
    if (call_class == CallClass::Prefix) {
        const auto& nodes = sets_[clause.shared->set];
        const auto& all = *index_.communicator(call.communicator);
        // Ranks in the communicator may be in another order than in the world.
        if (!std::is_sorted(all.members.begin(), all.members.end())) return clause;
        const auto lower = std::lower_bound(nodes.begin(), nodes.end(), node);
        clause.shared->length = static_cast<std::uint32_t>(lower - nodes.begin());
        return clause;
    }
    if (!call.root) return clause;
    if (call.root->kind == Peer::Kind::ProcNull) return std::nullopt;
    const auto root = index_.peer(node, call.communicator, *call.root);
    const bool is_root = root == node || call.root->kind == Peer::Kind::Root;
    if (is_root) {
        if (call_class == CallClass::ToRoot) return clause;
        return std::nullopt;
    }
    if (call_class == CallClass::ToRoot || !root) return std::nullopt;
    // The data may come through any member, and which of them it has come to is not known.
    if (!index_.rank(node).queues_known) return clause;
    clause.shared.reset();
    clause.targets = {*root};
    return clause;
}

Clause CollectiveWaits::initialize(Node node, const model::Call& call) {
    const std::size_t world = index_.world_of(node);
    const auto [place, is_new] = not_in_init_.try_emplace(world);
    if (is_new) {
        std::vector<Node> nodes;
        for (Node other = 0; other < index_.size(); ++other) {
            // A rank in any MPI call has been in MPI_Init, or is.
            const bool absent = index_.blocked_call(other) == nullptr;
            if (absent && index_.world_of(other) == world) nodes.push_back(other);
        }
        place->second = add_set(std::move(nodes));
    }
    return whole_set(place->second, Clause::Kind::Initialize, call);
}

std::optional<Clause> CollectiveWaits::of_finalize(Node node, const model::Call& call) {
    const std::size_t world = index_.world_of(node);
    const auto [place, is_new] = not_in_finalize_.try_emplace(world);
    if (is_new) {
        std::vector<Node> nodes;
        for (Node other = 0; other < index_.size(); ++other) {
            const bool absent = !index_.in_finalize(other);
            if (absent && index_.world_of(other) == world) nodes.push_back(other);
        }
        place->second = add_set(std::move(nodes));
    }
    if (!sets_[place->second].empty()) {
        return whole_set(place->second, Clause::Kind::Finalize, call);
    }
    Clause others;
    others.kind = Clause::Kind::Finalize;
    others.certain = false;
    others.call = &call;
    for (Node other = 0; other < index_.size(); ++other) {
        if (!index_.in_finalize(other)) others.targets.push_back(other);
    }
    return others.targets.empty() ? std::nullopt : std::optional(others);
}

bool CollectiveWaits::shares_other_communicator(Node node,
                                                Node other,
                                                model::CommunicatorId id) const {
    const auto& memberships = index_.rank(node).memberships;
    return std::any_of(memberships.begin(), memberships.end(), [&](const auto& membership) {
        return membership.communicator != id &&
               index_.membership(other, membership.communicator) != nullptr;
    });
}

std::optional<Clause> CollectiveWaits::of_disconnect(Node node, const model::Call& call) const {
    const model::Communicator* communicator = index_.communicator(call.communicator);
    if (communicator == nullptr) return std::nullopt;
    Clause clause;
    clause.kind = Clause::Kind::Enter;
    clause.call = &call;
    clause.certain = !index_.has_foreign_members(call.communicator);
    const GroupKey key{call.communicator->value, call.function};
    for (const Node member : members(*communicator)) {
        if (index_.world_of(member) == index_.world_of(node) || is_in(member, key)) continue;
        clause.targets.push_back(member);
        // The connection stays, and is not waited for, as long as anything uses it.
        if (shares_other_communicator(node, member, communicator->id)) clause.certain = false;
    }
    // It waits for those with whom it has communicated, for one at least.
    if (clause.targets.size() > 1) clause.certain = false;
    return clause.targets.empty() ? std::nullopt : std::optional(clause);
}

// In its first part, which nobody leaves before all have entered, a fence counts one
// completion for each member and more; those of the second part are for operations of
// ranks that have entered (ch3u_rma_sync.c). Device ch4 has but one part (mpidig_win.h).
CollectiveWaits::FencePart CollectiveWaits::fence_part(Node node, const model::Call& call) const {
    if (call.function != "MPI_Win_fence") return FencePart::Unknown;
    const model::Window* window = index_.window(node, *call.communicator);
    // It ends with a barrier.
    if (window != nullptr && window->answers_awaited) return FencePart::First;
    if (window == nullptr || window->completions_missing.value_or(0) == 0) {
        return FencePart::Unknown;
    }
    const std::size_t members = index_.communicator(call.communicator)->members.size();
    return *window->completions_missing < members ? FencePart::Second : FencePart::First;
}

const CollectiveWaits::Started& CollectiveWaits::started(const model::Communicator& communicator) {
    const auto [place, is_new] = started_.try_emplace(communicator.id.value);
    Started& result = place->second;
    if (!is_new) return result;
    std::vector<std::pair<std::int64_t, Node>> counted;
    for (const Node node : members(communicator)) {
        const auto* membership = index_.membership(node, communicator.id);
        const bool known = membership != nullptr && membership->collectives_started;
        counted.emplace_back(known ? *membership->collectives_started : -1, node);
        // One that has ended can't start it any more; one that runs may go on to.
        if (!known && index_.state(node) == model::RankState::Blocked) result.all_known = false;
    }
    std::sort(counted.begin(), counted.end());
    std::vector<Node> nodes;
    for (const auto& [count, node] : counted) {
        result.counts.push_back(count);
        nodes.push_back(node);
    }
    result.set = add_set(std::move(nodes));
    return result;
}

std::vector<Clause> CollectiveWaits::of_operation(Node node,
                                                  const model::Call& call,
                                                  const Operation& operation) {
    if (operation.state == OperationState::Complete) return {};
    Clause clause;
    clause.call = &call;
    clause.operation = &operation;
    const model::Communicator* communicator = index_.communicator(operation.communicator);
    if (communicator == nullptr || !operation.sequence) {
        clause.certain = false;
        clause.mode = Mode::Any;
        return {clause};
    }
    clause.kind = Clause::Kind::Start;
    const Started& all = started(*communicator);
    const auto missing =
        std::upper_bound(all.counts.begin(), all.counts.end(), *operation.sequence) -
        all.counts.begin();
    if (missing == 0) {
        // It gets done as long as the members are in MPI, whatever call they are in:
        // nobody is in the way but members that wait for this very operation, each
        // for the other's part. They have started different functions.
        Traffic parts = own_traffic(node, operation);
        std::erase_if(parts.peers, [&](Node peer) { return !waits_for_same(peer, operation); });
        clause.kind = Clause::Kind::Take;
        clause.certain = parts.certain;
        clause.targets = std::move(parts.peers);
        if (!clause.targets.empty()) return {clause};
        if (index_.rank(node).queues_known) return {};
        // Whether the parts fit each other can't be seen.
        clause.kind = Clause::Kind::Other;
        clause.certain = false;
        clause.mode = Mode::Any;
        return if_operation_lasts(node, call, operation, clause);
    }
    clause.certain = false;
    clause.shared = SharedTargets{all.set, static_cast<std::uint32_t>(missing)};
    const bool of_all = synchronizes(operation.function) && !communicator->inter;
    std::vector<Node> awaited = late_parts(node, operation);
    if (of_all || std::cmp_equal(awaited.size(), missing)) {
        clause.certain = all.all_known;
        return {clause};
    }
    if (awaited.empty()) return if_operation_lasts(node, call, operation, clause);
    // It may need more members than those that its part waits for by now.
    Clause certain = clause;
    certain.certain = all.all_known;
    certain.shared.reset();
    certain.targets = std::move(awaited);
    clause.bound = true;
    return {certain, clause};
}

// Of those that have not started the operation, whom the rank's part waits for, be it through
// the parts of members that have: each waits until its own peers have done their parts.
std::vector<Node> CollectiveWaits::late_parts(Node node, const Operation& operation) const {
    std::vector<Node> found;
    std::vector<Node> seen{node};
    for (std::size_t next = 0; next < std::min(seen.size(), kMostParts); ++next) {
        const Operation* part = same_operation(seen[next], operation);
        if (part == nullptr || part->state == OperationState::Complete) continue;
        for (const Node peer : own_traffic(seen[next], *part).peers) {
            const auto* membership = index_.membership(peer, operation.communicator);
            const bool late = membership == nullptr ||
                              membership->collectives_started.value_or(-1) <= *operation.sequence;
            if (late) {
                found.push_back(peer);
            } else if (std::ranges::find(seen, peer) == seen.end()) {
                seen.push_back(peer);
            }
        }
    }
    sort_distinct(found);
    return found;
}

const Operation* CollectiveWaits::same_operation(Node node, const Operation& operation) const {
    for (const std::uint32_t i : index_.operations_of(node)) {
        const Operation& own = index_.operation(i);
        if (own.queue == Queue::Collective && own.communicator == operation.communicator &&
            own.sequence == operation.sequence) {
            return &own;
        }
    }
    return nullptr;
}

bool CollectiveWaits::waits_for_same(Node node, const Operation& operation) const {
    const model::Call* call = index_.blocked_call(node);
    if (call == nullptr || !call->requests) return false;
    return std::any_of(
        call->requests->begin(), call->requests->end(), [&](const model::WaitedRequest& request) {
            if (!request.operation) return false;
            const Operation* own = index_.operation_of(node, *request.operation);
            return own != nullptr && own->queue == Queue::Collective &&
                   own->communicator == operation.communicator &&
                   own->sequence == operation.sequence && own->state != OperationState::Complete;
        });
}

}  // namespace mqinspect::analysis
