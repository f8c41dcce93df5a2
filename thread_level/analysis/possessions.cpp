#include "thread_level/analysis/possessions.h"

#include <algorithm>
#include <span>
#include <utility>

#include "thread_level/analysis/program.h"
#include "thread_level/analysis/states.h"

namespace mqinspect::thread_level {
namespace {

constexpr unsigned kBits = 2;  // of one thread

bool is_of_one(const Step& post) {
    return !post.arguments.empty() && post.arguments.front().kind == Value::Kind::Constant &&
           post.arguments.front().number == 1;
}

bool is_of_others(const Region& region) {
    return makes_team(region) || is_deferred_task(region);
}

}  // namespace

bool is_of(const Step& step, const std::set<StringId>& semaphores) {
    const bool is_use = step.turn == Turn::Is || step.turn == Turn::Posted;
    return is_use && semaphores.contains(step.value.name);
}

Possessions::Possessions(const Program& program,
                         const std::set<StringId>& semaphores,
                         PartOfTeam holder)
    : program_(program), semaphores_(semaphores), holder_(holder) {}

std::set<FunctionId> Possessions::holders() const {
    std::map<Node, Possession> entered;
    for (const auto& [entry, end] : known_)
        entered[entry.first] |= entry.second;
    std::set<FunctionId> holders;
    for (const auto& [node, possession] : entered) {
        if (possession == kWith && program_.is_function(node)) holders.insert(node);
    }
    return holders;
}

TokenPlaces Possessions::places() const {
    TokenPlaces places;
    for (const auto& [function, before] : before_) {
        for (StepId step = 0; step < before.size(); ++step) {
            if ((before[step] & kEither) == kWith) places.emplace(function, step);
        }
    }
    return places;
}

/// In a cycle of calls: what comes out of it, but for it.
Possession Possessions::run(Node node, Possession at_first) {
    const auto [known, is_new] = known_.try_emplace({node, at_first}, 0);
    if (!is_new) return known->second;
    Possession end = 0;
    if (program_.is_function(node)) {
        end = run_function(node, at_first);
    } else {
        for (const CallEdge& edge : program_.calls(node))
            end |= run(edge.to, at_first);
    }
    return known_[{node, at_first}] = end;
}

bool Possessions::may_be_kept(Node node, Possession at_first) {
    if (!looked_at_.insert({node, at_first}).second) return true;
    if (!program_.is_function(node)) {
        return std::ranges::all_of(program_.calls(node), [&](const CallEdge& edge) {
            return may_be_kept(edge.to, at_first);
        });
    }
    const auto found = before_by_entry_.find({node, at_first});
    if (found == before_by_entry_.end()) return true;
    const std::span<const Step> steps = program_.steps(node);
    for (StepId step = 0; step < steps.size(); ++step) {
        const Possession before = found->second[step] & kEither;
        const bool is_post =
            steps[step].kind == StepKind::Release && is_of(steps[step], semaphores_);
        if (before == 0) continue;
        if (is_post && (before == kWithout || !is_of_one(steps[step]))) return false;
        for (const CallEdge& edge : program_.calls_of(node, step)) {
            if (edge.kind == CallKind::Call && !may_be_kept(edge.to, before)) return false;
        }
    }
    return true;
}

Possession Possessions::run_function(FunctionId id, Possession at_first) {
    const std::span<const Step> steps = program_.steps(id);
    if (steps.empty()) return at_first;
    std::vector<Possession> before(steps.size(), 0);
    before.front() = at_first;
    std::vector<StepId> open{0};
    Possession end = 0;
    while (!open.empty()) {
        const StepId step = open.back();
        open.pop_back();
        const Possession then = after(id, step, before[step]);
        if (steps[step].next.empty()) end |= then & kEither;
        for (const StepId next : steps[step].next) {
            const Possession there = along(id, step, next, then);
            if ((before[next] | there) == before[next]) continue;
            before[next] |= there;
            open.push_back(next);
        }
    }
    std::vector<Possession>& all = before_[id];
    all.resize(steps.size(), 0);
    for (StepId step = 0; step < before.size(); ++step)
        all[step] |= before[step];
    before_by_entry_[{id, at_first}] = std::move(before);
    return end;
}

Possession Possessions::after(FunctionId id, StepId at, Possession before) {
    const Step& step = program_.steps(id)[at];
    if (is_of(step, semaphores_)) return after_use(step, before);
    const bool is_construct = step.kind == StepKind::Enter || step.kind == StepKind::Leave;
    if (is_construct && is_of_others(program_.regions(id)[step.target])) {
        if (step.kind == StepKind::Enter) return before << kBits | kWithout;
        return before >> kBits == 0 ? kWithout : before >> kBits;
    }
    Possession end = 0;
    bool calls = false;
    for (const CallEdge& edge : program_.calls_of(id, at)) {
        if (edge.kind != CallKind::Call) continue;
        calls = true;
        end |= run(edge.to, before & kEither);
    }
    return calls ? (before & ~kEither) | end : before;
}

/// Who posts twice makes two tokens of one.
Possession Possessions::after_use(const Step& step, Possession before) {
    const bool waits = step.kind == StepKind::Acquire;
    if (!waits) {
        if (!is_of_one(step) || (before & kWithout) != 0) is_kept_ = false;
    }
    return (before & ~kEither) | (waits ? kWith : kWithout);
}

/// From one step to the next, which may lead into the holder, or out of it.
Possession Possessions::along(FunctionId id, StepId from, StepId to, Possession possession) {
    if (id != holder_.function) return possession;
    const std::span<const Region> regions = program_.regions(id);
    const std::span<const Step> steps = program_.steps(id);
    const bool was_inside = is_inside(regions, steps[from].region, holder_.region);
    const bool is_now_inside = is_inside(regions, steps[to].region, holder_.region);
    if (was_inside == is_now_inside) return possession;
    if (was_inside) left_ |= possession & kEither;
    return (possession & ~kEither) | (is_now_inside ? kWith : kWithout);
}

}  // namespace mqinspect::thread_level
