#include "analysis/window_waits.h"

#include <algorithm>

namespace mqinspect::analysis {

using model::AccessEpoch;
using model::Call;
using model::CallClass;
using model::ExposureEpoch;
using model::LockType;
using model::Operation;
using model::Queue;
using model::RankState;
using model::Window;
using model::WindowTarget;
using Mode = WaitForGraph::Mode;

namespace {

Clause not_known(const Call& call) {
    Clause clause;
    clause.mode = Mode::Any;
    clause.certain = false;
    clause.call = &call;
    return clause;
}

Clause all_of(Clause::Kind kind, const Call& call, std::vector<Node> targets) {
    Clause clause;
    clause.kind = kind;
    clause.call = &call;
    clause.targets = std::move(targets);
    return clause;
}

const WindowTarget* find_target(const Window& window, model::WorldRank rank) {
    const auto found = std::ranges::find(window.targets, rank, &WindowTarget::rank);
    return found == window.targets.end() ? nullptr : &*found;
}

bool is_waiting(const Window& part, model::WorldRank rank) {
    return std::ranges::find(part.waiters, rank, &model::LockWaiter::rank) != part.waiters.end();
}

/// The user's or the library's own message between members, no part of a collective.
bool is_plain(const Operation& operation, Queue queue, model::CommunicatorId id) {
    return operation.queue == queue && operation.communicator == id && !operation.collective;
}

}  // namespace

std::vector<Node> WindowWaits::members(model::CommunicatorId id) const {
    std::vector<Node> nodes;
    const auto* communicator = index_.communicator(id);
    if (communicator == nullptr) return nodes;
    for (const model::WorldRank rank : communicator->members) {
        if (const auto node = index_.node(rank)) nodes.push_back(*node);
    }
    std::ranges::sort(nodes);
    return nodes;
}

bool WindowWaits::share_memory(const Window& window, Node left, Node right) const {
    return left == right ||
           (window.shared_memory && index_.rank(left).host == index_.rank(right).host);
}

std::vector<Clause> WindowWaits::of_call(Node node, const Call& call, CallClass call_class) {
    const Window* window = call.communicator ? index_.window(node, *call.communicator) : nullptr;
    if (window == nullptr) return {not_known(call)};
    const Subject subject{node, &call, window, *call.communicator};
    std::vector<Clause> clauses;
    if (call_class == CallClass::WindowWait) return completions(subject);
    if (call_class == CallClass::WindowStart) {
        clauses = posts(subject);
        const bool completes = call.function == "MPI_Win_complete";
        if (!clauses.empty() || !completes) return clauses;
    } else if (call_class == CallClass::WindowTarget) {
        const auto target = call.destination
                                ? index_.peer(node, call.communicator, *call.destination)
                                : std::nullopt;
        if (!target) return {not_known(call)};
        one_target(subject, *target, clauses);
        return clauses;
    } else if (call.function == "MPI_Win_lock_all") {
        return lock_all(subject);
    }
    for (const WindowTarget& target : window->targets) {
        if (const auto place = index_.node(target.rank)) {
            one_target(subject, *place, clauses);
        } else {
            clauses.push_back(not_known(call));
        }
    }
    return clauses;
}

std::optional<std::vector<Clause>> WindowWaits::of_request(Node node,
                                                           const Call& call,
                                                           std::uint64_t request) const {
    for (const Window* window : index_.windows_of(node)) {
        const auto found =
            std::ranges::find(window->requests, request, &model::WindowRequest::request);
        if (found == window->requests.end()) continue;
        const auto target = index_.node(found->target);
        if (!target) return std::vector{not_known(call)};
        std::vector<Clause> clauses;
        one_target({node, &call, window, window->communicator}, *target, clauses);
        return clauses;
    }
    return std::nullopt;
}

bool WindowWaits::awaits_post_of(Node node, Node member, model::CommunicatorId id) const {
    return std::ranges::any_of(index_.operations_of(node), [&](std::uint32_t i) {
        const Operation& operation = index_.operation(i);
        return is_plain(operation, Queue::PostedReceive, id) && index_.peer(operation) == member &&
               !matching_.receive_is_met(operation);
    });
}

// The message that MPI_Win_post sends is awaited with a receive on the window's
// communicator, which stays posted until the member has called it.
std::vector<Clause> WindowWaits::posts(const Subject& subject) const {
    const bool starts = subject.call->function == "MPI_Win_start";
    if (subject.window->answers_awaited) {
        return starts ? counted_posts(subject) : std::vector<Clause>{};
    }
    if (!index_.rank(subject.node).queues_known) return {not_known(*subject.call)};
    std::vector<Node> targets;
    for (const Node member : members(subject.id)) {
        // MPI_Win_start itself waits only for those that it shares memory with.
        if (starts && !share_memory(*subject.window, subject.node, member)) continue;
        if (awaits_post_of(subject.node, member, subject.id)) targets.push_back(member);
    }
    if (targets.empty()) return {};
    return {all_of(Clause::Kind::Post, *subject.call, std::move(targets))};
}

// The window counts the posts that have arrived; the group of a call of MPI_Win_start that has
// not returned is not known. At least one of those that have not posted is in it.
std::vector<Clause> WindowWaits::counted_posts(const Subject& subject) const {
    const model::WorldRank self = index_.rank(subject.node).rank;
    std::uint64_t posted = 0;
    std::vector<Node> others;
    for (const Node member : members(subject.id)) {
        const Window* part = index_.window(member, subject.id);
        if (part == nullptr && index_.state(member) != RankState::Exited) {
            return {not_known(*subject.call)};
        }
        const bool has_posted = part != nullptr && part->exposure == ExposureEpoch::Post;
        if (has_posted && std::ranges::find(part->posted, self) != part->posted.end()) {
            ++posted;
        } else if (member != subject.node) {
            others.push_back(member);
        }
    }
    if (!subject.window->posts_received) return {not_known(*subject.call)};
    if (posted > *subject.window->posts_received) return {};  // on its way
    if (others.empty()) return {not_known(*subject.call)};
    Clause clause = all_of(Clause::Kind::Post, *subject.call, std::move(others));
    if (clause.targets.size() > 1) clause.mode = Mode::Any;
    return {clause};
}

bool WindowWaits::has_unreceived(Node receiver, Node sender, model::CommunicatorId id) const {
    return std::ranges::any_of(index_.operations_of(receiver), [&](std::uint32_t i) {
        const Operation& operation = index_.operation(i);
        return is_plain(operation, Queue::UnexpectedMessage, id) &&
               index_.peer(operation) == sender;
    });
}

// The window counts the calls that are missing and does not say whose they are. An
// origin is known by the epoch that it has started, or by the message of this rank's
// MPI_Win_post that it has not received.
std::vector<Clause> WindowWaits::completions(const Subject& subject) const {
    const auto missing = subject.window->completions_missing;
    if (!missing) return {not_known(*subject.call)};
    if (*missing == 0) return {};
    std::vector<Node> known;
    std::vector<Node> others;
    const model::WorldRank self = index_.rank(subject.node).rank;
    for (const Node member : members(subject.id)) {
        const Window* part = index_.window(member, subject.id);
        const bool started = part != nullptr && part->access == AccessEpoch::Start &&
                             std::ranges::find(part->started, self) != part->started.end() &&
                             !awaits_post_of(member, subject.node, subject.id);
        const bool not_started = has_unreceived(member, subject.node, subject.id);
        const auto& group = subject.window->posted;
        const bool named =
            group.empty() || std::ranges::find(group, index_.rank(member).rank) != group.end();
        if (started || not_started) {
            known.push_back(member);
        } else if (member != subject.node && named) {
            others.push_back(member);
        }
    }
    std::vector<Clause> clauses;
    if (known.size() > *missing) {
        // More than are missing: nobody can say which.
        Clause clause = all_of(Clause::Kind::Complete, *subject.call, std::move(known));
        clause.mode = Mode::Any;
        clause.certain = false;
        return {clause};
    }
    const std::size_t rest = static_cast<std::size_t>(*missing) - known.size();
    if (rest == others.size()) {
        known.insert(known.end(), others.begin(), others.end());
        std::ranges::sort(known);
    } else if (rest > 0) {
        Clause clause = all_of(Clause::Kind::Complete, *subject.call, std::move(others));
        clause.mode = Mode::Any;
        clauses.push_back(std::move(clause));
    }
    if (!known.empty()) {
        clauses.push_back(all_of(Clause::Kind::Complete, *subject.call, std::move(known)));
    }
    return clauses;
}

void WindowWaits::one_target(const Subject& subject, Node target, std::vector<Clause>& out) const {
    const WindowTarget* own = find_target(*subject.window, index_.rank(target).rank);
    const bool locks = subject.call->function == "MPI_Win_lock";
    if (subject.window->answers_awaited) {
        progress(subject, target, out);
        if (locks) queued_lock(subject, target, out);
        return;
    }
    // Only a lock on memory that is at hand is taken before MPI_Win_lock returns.
    if (locks && !share_memory(*subject.window, subject.node, target)) return;
    if (own == nullptr) {
        if (locks) out.push_back(not_known(*subject.call));
        return;
    }
    const bool asked =
        own->lock == WindowTarget::Lock::Called || own->lock == WindowTarget::Lock::Requested;
    if (asked) {
        const bool all = subject.window->access == AccessEpoch::LockAll;
        lock(subject, target, all ? LockType::Shared : own->type, out);
    } else if (!locks) {
        progress(subject, target, out);
    }
}

void WindowWaits::progress(const Subject& subject, Node target, std::vector<Clause>& out) const {
    const RankState state = index_.state(target);
    if (state == RankState::Unreadable) {
        out.push_back(not_known(*subject.call));
    } else if (state != RankState::Blocked && target != subject.node) {
        Clause clause = all_of(Clause::Kind::Progress, *subject.call, {target});
        // What has been sent off is complete for its origin.
        clause.certain = subject.call->function.find("_local") == std::string::npos;
        clause.window_of = target;
        clause.window = subject.id;
        out.push_back(std::move(clause));
    }
}

void WindowWaits::lock(const Subject& subject,
                       Node target,
                       LockType type,
                       std::vector<Clause>& out) const {
    progress(subject, target, out);
    const Window* part = index_.window(target, subject.id);
    if (part == nullptr) {
        if (index_.state(target) == RankState::Blocked) {
            out.push_back(not_known(*subject.call));
        }
        return;
    }
    const bool free = part->lock == LockType::None ||
                      (part->lock == LockType::Shared && type == LockType::Shared);
    if (free) return;  // the request, or the answer, is on its way
    add_holders(subject, target, *part, out);
}

bool WindowWaits::queued_lock(const Subject& subject, Node target, std::vector<Clause>& out) const {
    const Window* part = index_.window(target, subject.id);
    if (part == nullptr) {
        // Whether it has been granted can't be told.
        if (index_.state(target) == RankState::Blocked) out.push_back(not_known(*subject.call));
        return false;
    }
    if (!is_waiting(*part, index_.rank(subject.node).rank)) return false;
    add_holders(subject, target, *part, out);
    return true;
}

void WindowWaits::add_holders(const Subject& subject,
                              Node target,
                              const Window& part,
                              std::vector<Clause>& out) const {
    Holders found = holders(subject, target, part);
    if (found.nodes.empty()) {
        out.push_back(not_known(*subject.call));
        return;
    }
    Clause clause = all_of(Clause::Kind::Unlock, *subject.call, std::move(found.nodes));
    clause.certain = found.certain;
    clause.window_of = target;
    clause.window = subject.id;
    out.push_back(std::move(clause));
}

WindowWaits::Holding WindowWaits::holding(Node node, const Window& own, Node target) const {
    const WindowTarget* entry = find_target(own, index_.rank(target).rank);
    if (entry != nullptr && entry->lock == WindowTarget::Lock::Granted) return Holding::Yes;
    if (entry != nullptr && entry->lock == WindowTarget::Lock::Requested) return Holding::Perhaps;
    if (own.answers_awaited) {
        if (own.access == AccessEpoch::LockAll) return Holding::Yes;
        // Its epoch begins when the last lock is granted.
        const auto& call = index_.rank(node).call;
        const bool asks =
            call && (call->function == "MPI_Win_lock_all" || call->function == "MPI_Win_lock" ||
                     call->function == "MPI_Win_unlock_all");
        return asks ? Holding::Perhaps : Holding::No;
    }
    // MPICH may drop the entry of a target that nothing is waiting for, lock or not.
    if (own.access == AccessEpoch::Lock && entry == nullptr) return Holding::Perhaps;
    if (own.access != AccessEpoch::LockAll) return Holding::No;
    const bool missing = own.locks_missing.value_or(1) > 0;
    if (own.access_granted) return Holding::Yes;
    if (missing) return Holding::Perhaps;
    return share_memory(own, node, target) ? Holding::Yes : Holding::No;
}

WindowWaits::Holders WindowWaits::holders(const Subject& subject,
                                          Node target,
                                          const Window& part) const {
    std::vector<Node> sure;
    std::vector<Node> perhaps;
    bool all_known = true;
    for (const Node member : members(subject.id)) {
        const Window* own = index_.window(member, subject.id);
        all_known = all_known && own != nullptr;
        if (own == nullptr || member == subject.node) continue;
        if (is_waiting(part, index_.rank(member).rank)) continue;
        const Holding held = holding(member, *own, target);
        if (held == Holding::Yes) sure.push_back(member);
        if (held == Holding::Perhaps) perhaps.push_back(member);
    }
    const std::uint64_t expected = part.lock == LockType::Exclusive ? 1 : part.holders;
    Holders result{std::move(sure), false};
    result.certain = result.nodes.size() == expected;
    if (result.nodes.size() >= expected) return result;
    result.nodes.insert(result.nodes.end(), perhaps.begin(), perhaps.end());
    std::ranges::sort(result.nodes);
    result.certain = all_known && result.nodes.size() == expected;
    return result;
}

std::vector<Clause> WindowWaits::lock_all(const Subject& subject) const {
    const auto missing = subject.window->locks_missing;
    if (!missing) return {not_known(*subject.call)};
    if (*missing == 0) return {};
    if (subject.window->answers_awaited) return awaited_lock_all(subject);
    std::vector<Clause> clauses;
    for (const Node member : members(subject.id)) {
        if (!share_memory(*subject.window, subject.node, member)) continue;
        const Window* part = index_.window(member, subject.id);
        const bool granted = part != nullptr && part->lock == LockType::Shared;
        if (!granted) lock(subject, member, LockType::Shared, clauses);
    }
    return clauses;
}

// Who has granted is not known, but how many.
std::vector<Clause> WindowWaits::awaited_lock_all(const Subject& subject) const {
    std::vector<Clause> clauses;
    std::vector<Node> absent;
    std::uint64_t queued = 0;
    for (const Node member : members(subject.id)) {
        if (index_.state(member) == RankState::Unreadable) return {not_known(*subject.call)};
        if (queued_lock(subject, member, clauses)) {
            ++queued;
        } else if (index_.state(member) != RankState::Blocked) {
            absent.push_back(member);
        }
    }
    if (absent.empty() || *subject.window->locks_missing <= queued) return clauses;
    const bool all_missing = *subject.window->locks_missing - queued == absent.size();
    for (const Node member : absent) {
        progress(subject, member, clauses);
        if (!all_missing) clauses.back().certain = false;
    }
    return clauses;
}

}  // namespace mqinspect::analysis
