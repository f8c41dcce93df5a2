// Ways around joins: Flow, another part.
#include <algorithm>
#include <string_view>

#include "thread_level/analysis/flow.h"
#include "thread_level/analysis/loops.h"
#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {
namespace {

/// Behind the source file, if it is a function of that.
bool is_destructor(std::string_view symbol) {
    symbol.remove_prefix(symbol.rfind(':') + 1);
    return symbol.starts_with("_ZN") &&
           (symbol.ends_with("D0Ev") || symbol.ends_with("D1Ev") || symbol.ends_with("D2Ev"));
}

/// What leads to one of `open` without coming by `join`.
std::vector<bool> before_all(std::vector<StepId> open,
                             StepId join,
                             const std::unordered_map<StepId, std::vector<StepId>>& before,
                             std::size_t count) {
    std::vector<bool> leads(count, false);
    for (const StepId step : open)
        leads[step] = true;
    while (!open.empty()) {
        const auto found = before.find(open.back());
        open.pop_back();
        if (found == before.end()) continue;
        for (const StepId step : found->second) {
            if (step == join || leads[step]) continue;
            leads[step] = true;
            open.push_back(step);
        }
    }
    return leads;
}

/// From where the function may come to an end without a step of `through`.
std::vector<bool> may_end_without(std::span<const Step> steps, const std::vector<bool>& through) {
    std::vector<bool> may_end(steps.size(), false);
    for (bool changed = true; changed;) {
        changed = false;
        for (auto step = static_cast<StepId>(steps.size()); step-- > 0;) {
            if (may_end[step] || through[step]) continue;
            const std::vector<StepId>& next = steps[step].next;
            may_end[step] = next.empty() || std::any_of(next.begin(), next.end(), [&](StepId to) {
                                return may_end[to];
                            });
            changed = changed || may_end[step];
        }
    }
    return may_end;
}

}  // namespace

/// The join, and where it is decided whether the function comes to it: by branches of which one
/// way leads to it, or to another such branch, for certain, and another one does not. Empty: that
/// can't be told, as in a function that never ends, or takes too long.
std::vector<bool> Flow::decide_on(StepId join) const {
    constexpr std::size_t most_steps = 2000;
    const std::span<const Step> steps = shape_.steps();
    if (steps.size() > most_steps) return {};
    std::vector<bool> found(steps.size(), false);
    found[join] = true;
    for (bool changed = true; changed;) {
        changed = false;
        const std::vector<bool> may_end = may_end_without(steps, found);
        for (StepId step = 0; step < steps.size(); ++step) {
            const std::vector<StepId>& next = steps[step].next;
            const bool decides =
                may_end[step] &&
                std::any_of(next.begin(), next.end(), [&](StepId to) { return !may_end[to]; });
            if (!decides) continue;
            found[step] = true;
            changed = true;
        }
    }
    return std::count(found.begin(), found.end(), true) > 1 ? found : std::vector<bool>();
}

/// Whether a way leads to `behind` where nothing asks whether to join: a loop that starts threads
/// goes round by such a one, and then another loop joins them.
bool Flow::leads_beside(StepId step, StepId behind, const std::vector<bool>& decide) const {
    if (decide.empty() || decide[step]) return false;
    std::vector<bool> seen(decide);
    std::vector<StepId> open = {step};
    while (!open.empty()) {
        const StepId from = open.back();
        open.pop_back();
        for (const StepId next : shape_.next(from)) {
            if (next == behind) return true;
            if (seen[next] || !is_silent_[next] || is_excluded_[shape_.steps()[next].region])
                continue;
            seen[next] = true;
            open.push_back(next);
        }
    }
    return false;
}

/// Outside of teams: in those all are taken to have been.
void Flow::find_sure_starts() {
    sure_.assign(before_.size(), ~AsyncSet{0});
    const AsyncSet own = threads_in(0);
    if (own == 0) return;
    const Scope& scope = shape_.scopes()[0];
    for (const StepId start : scope.starts)
        sure_[start] = ~own;
    for (bool changed = true; changed;) {
        changed = false;
        for (const StepId step : scope.steps) {
            const AsyncSet after = sure_after(step);
            for (const StepId next : shape_.next(step)) {
                const AsyncSet both = sure_[next] & after;
                changed = changed || both != sure_[next];
                sure_[next] = both;
            }
        }
    }
}

AsyncSet Flow::sure_after(StepId step) const {
    const CallEffect* effect = effect_of(step);
    const bool is_sure = effect == nullptr || effect->threads.empty() || effect->starts_always;
    return is_sure ? sure_[step] | thread_bits_[step] : sure_[step];
}

/// `if (joinable) join`, and `delete`, which asks whether there is an object; or a loop that calls
/// what joins one thread each time.
bool Flow::asks_for_thread(StepId join) const {
    const Step& step = shape_.steps()[join];
    const CallEffect* effect = effect_of(join);
    const bool joins_one = effect != nullptr && !effect->joined_always.empty() &&
                           !effect->calls_mpi && is_in_loop(shape_.steps(), join);
    return step.kind == StepKind::JoinThread || joins_one ||
           (step.is_conditional && is_destructor(program_.unit().strings[step.name]));
}

/// Between steps that are not silent.
void Flow::find_ways_around(std::uint32_t scope) {
    Before before;
    for (const StepId step : shape_.scopes()[scope].steps) {
        const auto found = followers_.find(step);
        if (found == followers_.end()) continue;
        for (const StepId next : found->second.steps)
            before[next].push_back(step);
    }
    for (const StepId step : shape_.scopes()[scope].steps) {
        const bool may_join = joins_at(step) && !makes_threads(step);
        if (!may_join || !followers_.contains(step)) continue;
        if (const std::vector<bool> loop = loop_of_join(step, before); !loop.empty()) {
            add_ways_out(step, loop, before);
        } else {
            add_ways_around(step, scope, before);
        }
    }
}

/// The steps of a loop each round of which comes by the join, if there are others, and it starts
/// none of the threads itself. Empty: there is no such loop.
std::vector<bool> Flow::loop_of_join(StepId join, const Before& before) const {
    const std::size_t count = shape_.steps().size();
    if (!asks_for_thread(join)) return {};
    std::vector<bool> loop = before_all({join}, kNone, before, count);
    std::vector<bool> is_behind(count, false);
    std::vector<StepId> open = {join};
    while (!open.empty()) {
        const StepId from = open.back();
        open.pop_back();
        const auto ahead = followers_.find(from);
        if (ahead == followers_.end()) continue;
        for (const StepId next : ahead->second.steps) {
            if (is_behind[next]) continue;
            is_behind[next] = true;
            open.push_back(next);
        }
    }
    for (StepId step = 0; step < count; ++step)
        loop[step] = loop[step] && is_behind[step];
    if (!loop[join] || std::ranges::count(loop, true) == 1 || goes_round(join, loop)) return {};
    const bool starts_any = std::ranges::any_of(
        makers_, [&](const Maker& maker) { return maker.is_thread && loop[maker.step]; });
    return starts_any ? std::vector<bool>() : loop;
}

/// Whether the loop has a round that does not come by the join.
bool Flow::goes_round(StepId join, const std::vector<bool>& loop) const {
    // Whatever is left when all is taken away that leads to nothing else goes round.
    std::vector<bool> is_left = loop;
    is_left[join] = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (StepId step = 0; step < loop.size(); ++step) {
            if (!is_left[step]) continue;
            const std::vector<StepId>& next = followers_.at(step).steps;
            if (std::ranges::any_of(next, [&](StepId to) { return is_left[to]; })) continue;
            is_left[step] = false;
            changed = true;
        }
    }
    return std::ranges::count(is_left, true) != 0;
}

/// Each round joins one of the threads: they are all joined behind the loop, also where it has no
/// round at all, and not before.
void Flow::add_ways_out(StepId join, const std::vector<bool>& loop, const Before& before) {
    is_one_of_many_[join] = true;
    const std::vector<bool> decide = decide_on(join);
    const std::vector<bool> leads = before_all({join}, kNone, before, loop.size());
    const auto is_in_loop = [&](StepId step) { return loop[step]; };
    for (const auto& [behind, from] : before) {
        if (loop[behind] || std::ranges::none_of(from, is_in_loop)) continue;
        for (const StepId each : from) {
            const bool comes_in = std::ranges::any_of(followers_.at(each).steps, is_in_loop);
            if (!loop[each] && !comes_in) continue;
            const bool comes_again =
                !loop[each] && leads[behind] && leads_beside(each, behind, decide);
            ways_around_[{each, behind}].push_back({.join = join, .asks = !comes_again});
        }
    }
}

/// A block under a condition that ends with the join, whichever way it takes, joins what is there
/// where the condition holds.
void Flow::add_ways_around(StepId join, std::uint32_t scope, const Before& before) {
    const std::size_t count = shape_.steps().size();
    const std::vector<bool> leads = before_all({join}, kNone, before, count);
    const bool may_ask = asks_for_thread(join);
    const std::vector<bool> decide = may_ask ? decide_on(join) : std::vector<bool>();
    for (const StepId behind : followers_.at(join).steps) {
        const auto found = before.find(behind);
        if (behind == join || found == before.end() || found->second.size() < 2) continue;
        std::vector<StepId> ends = {behind};
        for (const StepId step : shape_.scopes()[scope].steps) {
            const auto ahead = followers_.find(step);
            if (ahead != followers_.end() && ahead->second.has_end && step != join)
                ends.push_back(step);
        }
        const std::vector<bool> leaves = before_all(std::move(ends), join, before, count);
        for (const StepId from : found->second) {
            if (from == join) continue;
            const std::vector<StepId>& next = followers_.at(from).steps;
            const bool is_next = contains(next, join);
            const bool is_block = std::any_of(next.begin(), next.end(), [&](StepId each) {
                return leads[each] && !leaves[each];
            });
            if (!is_next && !is_block) continue;
            const bool comes_again = leads[behind] && leads_beside(from, behind, decide);
            const bool asks = is_next && may_ask && !comes_again;
            ways_around_[{from, behind}].push_back({.join = join, .asks = asks});
        }
    }
}

bool Flow::leads_around(StepId step, StepId next, StepId join) const {
    const auto found = ways_around_.find({step, next});
    return found != ways_around_.end() &&
           std::any_of(found->second.begin(), found->second.end(), [join](const WayAround& way) {
               return way.join == join;
           });
}

/// `is_over`: any condition is taken to be whether there is a thread, but of what has been started
/// on all ways to `step`.
AsyncSet Flow::joined_around(StepId step, StepId next, bool is_over) const {
    const auto found = ways_around_.find({step, next});
    if (found == ways_around_.end()) return 0;
    AsyncSet threads = 0;
    for (const WayAround& way : found->second) {
        const AsyncSet joined = joined_before(way.join, before_[way.join].pending);
        if (way.asks) threads |= joined;
        if (is_over) threads |= joined & ~sure_after(step);
    }
    return threads;
}

}  // namespace mqinspect::thread_level
