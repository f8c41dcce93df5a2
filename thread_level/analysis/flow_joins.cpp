#include <algorithm>
#include <iterator>

#include "thread_level/analysis/absent_threads.h"
#include "thread_level/analysis/flow.h"
#include "thread_level/analysis/joined_threads.h"
#include "thread_level/analysis/turn_values.h"
#include "thread_level/facts/relations.h"
#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {
namespace {

bool does_nothing(const CallEffect& effect) {
    return !effect.may_pass_barrier && !effect.waits_for_tasks && effect.joined.empty() &&
           !effect.leaves_tasks && !effect.leaves_descendants && effect.threads.empty() &&
           !effect.calls_mpi && effect.locks.empty();
}

bool has_lock(ExclusionSet held, const Exclusions& exclusions) {
    return std::ranges::any_of(exclusions.members(held), [&](ExclusionId id) {
        return exclusions[id].kind == Exclusion::Kind::Lock;
    });
}

}  // namespace

/// What notes may leave out, for nothing comes of it.
void Flow::find_silent() {
    const std::span<const Step> steps = shape_.steps();
    const std::span<const Region> regions = shape_.regions();
    const auto is_structure = [](const Step& step) {
        return step.kind == StepKind::Enter || step.kind == StepKind::Leave;
    };
    std::vector<bool> has_events(regions.size(), false);
    is_silent_.assign(steps.size(), false);
    is_one_of_many_.assign(steps.size(), false);
    for (StepId i = 0; i < steps.size(); ++i) {
        const Step& step = steps[i];
        if (is_structure(step)) continue;
        const CallEffect* effect = effect_of(i);
        const bool is_call = step.kind == StepKind::Call || step.kind == StepKind::Indirect;
        is_silent_[i] = step.kind == StepKind::Join || step.kind == StepKind::Way ||
                        step.kind == StepKind::Keep || tests_turn(step) ||
                        (is_call && (effect == nullptr || does_nothing(*effect)));
        if (!is_silent_[i]) has_events[step.region] = true;
    }
    for (auto id = static_cast<RegionId>(regions.size()); id-- > 1;) {
        if (has_events[id]) has_events[regions[id].parent] = true;
    }
    for (StepId i = 0; i < steps.size(); ++i) {
        if (!is_structure(steps[i])) continue;
        const RegionId target = steps[i].target;
        is_silent_[i] = !has_events[target] && !speaks_by_itself(regions[target]);
    }
}

/// What may be the next that happens. A thread is absent if each way there leads to where it is.
Flow::Followers Flow::followers_of(StepId step, std::uint32_t scope) const {
    const std::span<const Step> steps = shape_.steps();
    Followers ahead;
    std::vector<AsyncSet> absent(steps.size(), ~AsyncSet{0});
    std::vector<bool> seen(steps.size(), false);
    absent[step] = 0;
    std::vector<StepId> open = {step};
    while (!open.empty()) {
        const StepId from = open.back();
        open.pop_back();
        for (const StepId next : steps[from].next) {
            const Step& follower = steps[next];
            ahead.has_end = ahead.has_end || (scope != 0 && follower.kind == StepKind::Leave &&
                                              follower.target == shape_.scopes()[scope].region);
        }
        for (const StepId next : shape_.next(from)) {
            if (is_excluded_[steps[next].region]) continue;
            const AsyncSet on_way = absent[next] & (absent[from] | absent_at(next));
            if (seen[next] && on_way == absent[next]) continue;
            if (!seen[next] && !is_silent_[next]) ahead.steps.push_back(next);
            seen[next] = true;
            absent[next] = on_way;
            if (is_silent_[next]) open.push_back(next);
        }
    }
    for (const StepId next : ahead.steps)
        ahead.absent.push_back(absent[next]);
    ahead.has_end = ahead.has_end || (scope == 0 && steps[step].kind == StepKind::Exit);
    return ahead;
}

void Flow::find_absent() {
    std::vector<StartedIn> threads;
    for (const Maker& maker : makers_) {
        if (maker.is_thread && maker.scope == 0)
            threads.push_back({.region = maker.inside, .bit = maker.bit});
    }
    if (!threads.empty()) absent_ = absent_threads(program_, shape_, threads);
}

/// A loop that joins threads joins all that were started, and "if (joinable)" knows why it asks:
/// the ways around such a join count as joined, too, be it that another join comes next.
void Flow::pass_joins(std::uint32_t scope) {
    const std::span<const Step> steps = shape_.steps();
    for (const StepId step : shape_.scopes()[scope].steps) {
        if (!is_silent_[step]) followers_.emplace(step, followers_of(step, scope));
    }
    for (const StepId start : shape_.scopes()[scope].starts) {
        followers_.emplace(start, followers_of(start, scope));
    }
    find_ways_around(scope);
    const auto joined_at_end = [&](StepId from) {
        AsyncSet threads = 0;
        for (const StepId join : followers_.at(from).steps) {
            if (steps[join].kind == StepKind::JoinThread && followers_.at(join).has_end)
                threads |= joined_before(join, before_[join].pending);
        }
        return threads;
    };
    const AsyncSet all = threads_in(scope) | (scope == 0 ? incoming_ : 0);
    for (const auto& [step, threads] : pending_behind_joins(scope, true))
        over_[step] = (before_[step].pending & ~all) | threads;
    const auto pending = pending_behind_joins(scope, false);
    ends_[scope].pending &= ~all;
    for (const auto& [step, threads] : pending) {
        before_[step].pending = (before_[step].pending & ~all) | threads;
        if (!followers_.at(step).has_end) continue;
        ends_[scope].pending |= threads_after(step, threads) & ~joined_at_end(step);
    }
}

/// Threads, by step. `is_over`: as in joined_at().
std::unordered_map<StepId, AsyncSet> Flow::pending_behind_joins(std::uint32_t scope,
                                                                bool is_over) const {
    std::unordered_map<StepId, AsyncSet> pending;
    for (const StepId start : shape_.scopes()[scope].starts)
        if (scope == 0) pending[start] = incoming_;
    for (bool changed = true; changed;) {
        changed = false;
        for (const StepId step : shape_.scopes()[scope].steps) {
            if (!followers_.contains(step) || !before_[step].is_reached) continue;
            const AsyncSet threads = threads_after(step, pending[step]);
            const Followers& ahead = followers_.at(step);
            for (std::size_t i = 0; i < ahead.steps.size(); ++i) {
                const StepId next = ahead.steps[i];
                AsyncSet& known = pending[next];
                const AsyncSet left = threads & ~ahead.absent[i];
                const AsyncSet all = known | (left & ~joined_around(step, next, is_over));
                changed = changed || all != known;
                known = all;
            }
        }
    }
    return pending;
}

bool Flow::joins_at(StepId step) const {
    const CallEffect* effect = effect_of(step);
    return shape_.steps()[step].kind == StepKind::JoinThread ||
           (effect != nullptr && !effect->joined.empty());
}

bool Flow::has_joins() const {
    for (StepId step = 0; step < shape_.steps().size(); ++step) {
        if (joins_at(step)) return true;
    }
    return false;
}

/// Of the function's own scope: a join that may be for a thread of its own is for that.
void Flow::note_passed_joins() {
    for (const StepId step : shape_.scopes()[0].steps) {
        const bool is_of_function =
            shape_.steps()[step].kind == StepKind::JoinThread && shape_.steps()[step].name != 0;
        const AsyncSet own = before_[step].pending & threads_in(0) & ~threads_spared(step);
        if (!joins_at(step) || is_of_function || own != 0) continue;
        passed_joins_.push_back({step, ways_without(step, false), ways_without(step, true)});
    }
}

/// Where who has not passed the join comes to, or another one of the same thread on another way.
/// The ways around a join count as joined, as in pass_joins(). What the step of the join itself
/// calls may come before the join is over: the step is reached without it.
std::vector<bool> Flow::ways_without(StepId join, bool is_over) const {
    std::vector<bool> reached(shape_.steps().size(), false);
    std::vector<StepId> open = shape_.scopes()[0].starts;
    const bool has_ways_around = shape_.steps()[join].kind == StepKind::JoinThread;
    const std::vector<StepId>& behind = followers_.at(join).steps;
    const auto joins_it = [this, join, has_ways_around](StepId id) {
        const Step& step = shape_.steps()[id];
        const Step& own = shape_.steps()[join];
        return id == join || (has_ways_around && step.kind == own.kind && step.value == own.value &&
                              step.name == own.name);
    };
    while (!open.empty()) {
        const StepId step = open.back();
        open.pop_back();
        if (reached[step]) continue;
        reached[step] = true;
        if (joins_it(step) && !is_one_of_many_[step]) continue;
        const std::vector<StepId>& next = followers_.at(step).steps;
        const bool leads_around = has_ways_around && contains(next, join);
        std::copy_if(next.begin(), next.end(), std::back_inserter(open), [&](StepId each) {
            const bool is_around =
                (leads_around && contains(behind, each)) ||
                ((is_over || is_one_of_many_[join]) && this->leads_around(step, each, join));
            return !is_around;
        });
    }
    return reached;
}

void Flow::add_passed(std::vector<Operand>& joined, StepId join, bool is_over) const {
    const Step& step = shape_.steps()[join];
    if (step.kind == StepKind::JoinThread)
        add_joined(joined, {.value = step.value, .owner = shape_.function()});
    if (const CallEffect* effect = effect_of(join))
        add_threads(joined, is_over ? effect->joined : effect->joined_always);
}

std::vector<Operand> Flow::joined_at(StepId step, bool is_over) const {
    std::vector<Operand> joined;
    if (shape_.scope_of(shape_.steps()[step].region) != 0) return joined;
    for (const PassedJoin& passed : passed_joins_) {
        const std::vector<bool>& without = is_over ? passed.is_open : passed.without;
        if (!without[step]) add_passed(joined, passed.join, is_over);
    }
    return joined;
}

std::vector<Operand> Flow::joined_at_end() const {
    const std::span<const Step> steps = shape_.steps();
    std::vector<Operand> joined;
    for (const PassedJoin& passed : passed_joins_) {
        bool is_avoided = false;
        for (StepId step = 0; step < steps.size(); ++step) {
            const bool is_end = steps[step].kind == StepKind::Exit;
            is_avoided = is_avoided || (is_end && passed.without[step]);
        }
        if (!is_avoided) add_passed(joined, passed.join, false);
    }
    return joined;
}

/// A join, be it in what is called, is for what an earlier call has left where nothing else is
/// there.
AsyncSet Flow::joined_before(StepId join, AsyncSet pending) const {
    const Step& step = shape_.steps()[join];
    const CallEffect* effect = effect_of(join);
    AsyncSet joined = 0;
    AsyncSet always = 0;
    if (step.kind == StepKind::JoinThread) {
        joined = threads_joined(step.region, step.name, {step.value, shape_.function()});
        always = step.name == 0 ? joined : 0;
    } else if (effect != nullptr) {
        joined = threads_joined(step.region, effect->joined);
        always = threads_joined(step.region, effect->joined_always);
    }
    const AsyncSet spared = threads_spared(join) | absent_at(join);
    const bool is_incoming = shape_.scope_of(step.region) == 0 && always != 0 &&
                             (pending & threads_in(0) & ~spared) == 0;
    return (is_incoming ? joined | incoming_ : joined) & ~spared;
}

/// Threads of what the call moves to somewhere else: what it joins is of the object there.
AsyncSet Flow::threads_spared(StepId step) const {
    const Step& sparing = shape_.steps()[step];
    if (!sparing.spares_moved || sparing.moved == 0) return 0;
    AsyncSet threads = 0;
    for (const Maker& maker : makers_) {
        const bool is_meant = maker.is_thread && shape_.steps()[maker.step].moved == sparing.moved;
        if (is_meant && maker.step != step) threads |= maker.bit;
    }
    return threads;
}

/// `thread`: the function it runs; 0: it isn't known. `joined`: what it is known by. What isn't
/// known of one or the other is taken to be right.
AsyncSet Flow::threads_joined(RegionId region, StringId thread, const Operand& joined) const {
    const Strings& strings = program_.unit().strings;
    AsyncSet threads = 0;
    for (const Maker& maker : makers_) {
        if (!maker.is_thread || maker.scope != shape_.scope_of(region)) continue;
        const bool is_function = thread == 0 || maker.thread == 0 || maker.thread == thread;
        if (is_function && may_be_same_thread(maker.known_by, joined, strings))
            threads |= maker.bit;
    }
    return threads;
}

AsyncSet Flow::threads_joined(RegionId region, const std::vector<Operand>& joined) const {
    AsyncSet threads = 0;
    for (const Operand& each : joined)
        threads |= threads_joined(region, 0, each);
    return threads;
}

AsyncSet Flow::threads_of(StepId step, const Operand& thread) const {
    for (const Maker& maker : makers_) {
        if (maker.is_thread && maker.step == step && maker.known_by == thread) return maker.bit;
    }
    return thread_bits_[step];
}

void Flow::add_joined(std::vector<Operand>& all, const Operand& joined) const {
    const Strings& strings = program_.unit().strings;
    const bool is_local =
        joined.value.kind == Value::Kind::Local && joined.owner == shape_.function();
    const bool is_own =
        is_local && std::any_of(makers_.begin(), makers_.end(), [&](const Maker& maker) {
            return maker.is_thread && maker.known_by.value.kind == Value::Kind::Local &&
                   may_be_same_thread(maker.known_by, joined, strings);
        });
    if (!is_own) add_thread(all, joined);
}

bool Flow::makes_threads(StepId step) const {
    const CallEffect* effect = effect_of(step);
    return shape_.steps()[step].kind == StepKind::StartThread ||
           (effect != nullptr && !effect->threads.empty());
}

bool Flow::joins_first(StepId step) const {
    const CallEffect* effect = effect_of(step);
    if (effect != nullptr && !effect->threads.empty() && !effect->adds_threads) return true;
    const bool is_own = shape_.scope_of(shape_.steps()[step].region) == 0;
    return is_own && incoming_ != 0 && before_[step].is_reached &&
           (before_[step].pending & incoming_) == 0;
}

/// In what makes a static variable, or where it has found that there is no thread.
bool Flow::is_once(StepId step) const {
    const std::span<const Region> regions = shape_.regions();
    const bool is_kept = is_kept_start(shape_.steps()[step]);
    for (RegionId at = shape_.steps()[step].region; at != 0; at = regions[at].parent) {
        if (makes_static(regions[at]) || (is_kept && finds_no_thread(regions[at]))) return true;
    }
    return false;
}

bool Flow::is_locked_guard(StepId step, RegionId guard, Exclusions& exclusions) const {
    const std::span<const Step> steps = shape_.steps();
    const std::span<const Region> regions = shape_.regions();
    ExclusionSet held = held_at(step, exclusions);
    bool is_any = false;
    for (StepId id = 0; id < steps.size() && held != 0; ++id) {
        if (steps[id].kind != StepKind::Way || !is_past(regions[steps[id].region], regions[guard]))
            continue;
        held = exclusions.intersect(held, held_at(id, exclusions));
        is_any = true;
    }
    return is_any && has_lock(held, exclusions);
}

bool Flow::is_lone_under_lock(StepId step, Exclusions& exclusions) const {
    return program_.is_lone_start_under_lock(shape_.function(), step) &&
           has_lock(held_at(step, exclusions), exclusions);
}

bool Flow::is_lone(StepId step) const {
    if (is_once(step)) return true;
    const CallEffect* effect = effect_of(step);
    if (effect != nullptr && !effect->threads.empty()) return !effect->starts_several;
    return program_.is_lone_start(shape_.function(), step);
}

/// Others that the callers have started are not what it joins, or finds to be there already. What
/// it joins first is, too, what others have put into the variable that it puts the new one into.
AsyncSet Flow::pending_at_start(StepId step) const {
    const CallEffect* effect = effect_of(step);
    const AsyncSet pending = before_[step].pending;
    const auto calls = program_.calls_of(shape_.function(), step);
    const bool has_one = effect != nullptr && !effect->threads.empty() &&
                         (!effect->adds_threads || !effect->starts_several);
    if (!has_one || calls.size() != 1) return pending;
    AsyncSet joined = 0;
    for (const CallEdge& other : program_.calls(shape_.function())) {
        const bool is_same = other.kind == CallKind::Call && other.to == calls.front().to;
        if (is_same) joined |= thread_bits_[other.step];
    }
    for (const Maker& maker : makers_) {
        const bool is_before = maker.is_thread && !effect->adds_threads &&
                               maker.known_by.value.kind == Value::Kind::Global;
        if (is_before &&
            std::ranges::find(effect->threads, maker.known_by) != effect->threads.end())
            joined |= maker.bit;
    }
    return pending & ~joined;
}

/// One start is followed, outside of teams.
void Flow::note_starts(Summary& summary) const {
    StepId start = kNone;
    bool is_one = true;
    for (StepId step = 0; step < shape_.steps().size(); ++step) {
        if (!makes_threads(step)) continue;
        is_one = is_one && start == kNone && shape_.scope_of(shape_.steps()[step].region) == 0;
        start = step;
    }
    summary.adds_threads = !is_one || start == kNone || !joins_first(start);
    summary.starts_several = !is_one || start == kNone || !is_lone(start);
    summary.starts_always = true;
    for (const StepId end : shape_.scopes()[0].steps) {
        const bool is_end = shape_.steps()[end].kind == StepKind::Exit && before_[end].is_reached;
        if (is_end && (threads_in(0) & ~sure_[end]) != 0) summary.starts_always = false;
    }
}

AsyncSet Flow::threads_after(StepId id, AsyncSet threads) const {
    const AsyncSet joined = is_one_of_many_[id] ? AsyncSet{0} : joined_before(id, threads);
    return (threads & ~joined) | thread_bits_[id];
}

StepId Flow::enter_of(RegionId region) const {
    const std::span<const Step> steps = shape_.steps();
    const auto found = std::find_if(steps.begin(), steps.end(), [region](const Step& step) {
        return step.kind == StepKind::Enter && step.target == region;
    });
    return found == steps.end() ? kNone : static_cast<StepId>(found - steps.begin());
}

/// By who enters a task that is not deferred, or comes to `taskwait depend(...)`, which is such a
/// task without a body. What those tasks wait for in turn counts where it is never made but before
/// them.
AsyncSet Flow::tasks_waited_for(StepId enter) const {
    const Step& step = shape_.steps()[enter];
    const Region& region = shape_.regions()[step.target];
    if (region.kind != RegionKind::Task || region.team != Team::Never) return 0;
    AsyncSet waited_for = 0;
    std::vector<RegionId> open{step.target};
    std::vector<bool> seen(shape_.regions().size(), false);
    while (!open.empty()) {
        const RegionId waiting = open.back();
        open.pop_back();
        for (RegionId i = 1; i < shape_.regions().size(); ++i) {
            const Region& task = shape_.regions()[i];
            const bool is_sibling =
                shape_.path(task.parent).task == shape_.path(step.region).task &&
                shape_.scope_of(i) == shape_.scope_of(step.region);
            if (!is_sibling || task.kind != RegionKind::Task || seen[i] ||
                !depends(task, shape_.regions()[waiting]))
                continue;
            const bool is_before =
                waiting == step.target || !leads_to(enter_of(i), enter, enter_of(waiting));
            if (!is_before) continue;
            seen[i] = true;
            waited_for |= shape_.task_bit(i);
            open.push_back(i);
        }
    }
    return waited_for;
}

}  // namespace mqinspect::thread_level
