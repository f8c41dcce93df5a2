#include "thread_level/analysis/flow.h"

#include <algorithm>

#include "thread_level/analysis/barrier_bits.h"
#include "thread_level/analysis/states.h"
#include "thread_level/facts/relations.h"

namespace mqinspect::thread_level {
Flow::Flow(const Program& program,
           Shape& shape,
           const std::unordered_map<StepId, CallEffect>& effects,
           Exclusions& exclusions,
           const Arguments& arguments)
    : program_(program),
      shape_(shape),
      effects_(effects),
      barrier_ids_(shape.steps().size(), 0),
      task_bits_(shape.steps().size(), 0),
      descendant_bits_(shape.steps().size(), 0),
      thread_bits_(shape.steps().size(), 0),
      before_(shape.steps().size()),
      ends_(shape.scopes().size()),
      arguments_(arguments) {
    find_excluded(arguments);
    number_locks(exclusions);
    number_rounds();
    number_async();
    number_barriers();
    if (program.starts_threads()) {
        find_sure_starts();
        find_absent();
    }
    const bool joins = program.starts_threads() && has_joins();
    if (joins) {
        find_silent();
        over_.resize(shape.steps().size());
    }
    if (joins && threads_in(0) != 0) incoming_ = shape.add_bit(0);
    for (std::uint32_t scope = 0; scope < shape.scopes().size(); ++scope) {
        run(scope);
        if (!joins) continue;
        for (const StepId step : shape.scopes()[scope].steps)
            over_[step] = before_[step].pending;
        pass_joins(scope);
    }
    if (joins) note_passed_joins();
}

bool Flow::share_phase(StepId a, StepId b) const {
    return meet(before_[a].barriers, before_[b].barriers);
}

bool Flow::is_at_entry(StepId step) const {
    const std::vector<std::uint64_t>& bits = before_[step].barriers;
    return !bits.empty() && (bits.front() & 1) != 0;
}

bool Flow::is_at_exit(StepId step) const {
    const std::uint32_t scope = shape_.scope_of(shape_.steps()[step].region);
    return meet(before_[step].barriers, ends_[scope].barriers);
}

bool Flow::is_exit_behind(StepId step) const {
    const std::uint32_t scope = shape_.scope_of(shape_.steps()[step].region);
    return has_bit(ends_[scope].barriers, barrier_ids_[step]);
}

std::uint32_t Flow::state_at(StepId step) {
    const At& at = before_[step];
    const auto number = static_cast<std::uint32_t>(states_.size());
    return states_.try_emplace({at.barriers, at.pending, pending_at(step, true)}, number)
        .first->second;
}

bool Flow::is_behind(StepId step, StepId other) const {
    const std::uint32_t id = barrier_ids_[step];
    return id != 0 && has_bit(before_[other].barriers, id);
}

bool Flow::reaches(StepId from, StepId to) {
    const std::uint64_t key = std::uint64_t{from} << 32 | to;
    if (const auto known = reached_.find(key); known != reached_.end()) return known->second;
    const auto stops = [this](StepId step) {
        if (barrier_ids_[step] == 0) return false;
        const auto effect = effects_.find(step);
        return effect == effects_.end() || effect->second.must_pass_barrier;
    };
    const bool found = search(from, to, stops);
    reached_.emplace(key, found);
    return found;
}

bool Flow::reaches_behind(StepId call, StepId to) {
    const std::span<const StepId> next = shape_.next(call);
    return std::any_of(
        next.begin(), next.end(), [&](StepId each) { return each == to || reaches(each, to); });
}

bool Flow::leads_to(StepId from, StepId to, StepId without) const {
    return search(from, to, [without](StepId step) { return step == without; });
}

bool Flow::stays_locked(StepId from, StepId to) const {
    return search(from, to, [this](StepId step) {
        const auto found = locking_.find(step);
        return found != locking_.end() && found->second.release != 0;
    });
}

/// `stops`: nothing is followed beyond such a step.
template <class Stops>
bool Flow::search(StepId from, StepId to, const Stops& stops) const {
    std::vector<bool> seen(before_.size(), false);
    std::vector<StepId> open = {from};
    while (!open.empty()) {
        const StepId step = open.back();
        open.pop_back();
        if (stops(step)) continue;
        for (const StepId next : shape_.next(step)) {
            if (next == to) return true;
            if (seen[next]) continue;
            seen[next] = true;
            open.push_back(next);
        }
    }
    return false;
}

const CallEffect* Flow::effect_of(StepId step) const {
    const auto found = effects_.find(step);
    return found == effects_.end() ? nullptr : &found->second;
}

bool Flow::may_pass_barrier(std::uint32_t scope) const {
    const std::vector<StepId>& steps = shape_.scopes()[scope].steps;
    return std::any_of(steps.begin(), steps.end(), [this](StepId step) {
        return barrier_ids_[step] != 0 && before_[step].is_reached;
    });
}

bool Flow::must_pass_barrier(std::uint32_t scope) const {
    const At& end = ends_[scope];
    return may_pass_barrier(scope) && end.is_reached && (end.barriers.front() & 1) == 0;
}

bool Flow::must_pass(StepId step) const {
    const CallEffect* effect = effect_of(step);
    return effect != nullptr && effect->must_pass_barrier;
}

AsyncSet Flow::threads_in(std::uint32_t scope) const {
    AsyncSet threads = 0;
    for (const Maker& maker : makers_) {
        if (maker.is_thread && maker.scope == scope) threads |= maker.bit;
    }
    return threads;
}

AsyncSet Flow::descendants_in(std::uint32_t scope) const {
    AsyncSet tasks = 0;
    for (const Maker& maker : makers_) {
        if (!maker.is_thread && maker.scope == scope && maker.by != kNone) tasks |= maker.bit;
    }
    return tasks;
}

ExclusionSet Flow::held_at(StepId step, Exclusions& exclusions) const {
    return set_of(before_[step].held & ~turns_, exclusions);
}

ExclusionSet Flow::turns_left_at(StepId step, Exclusions& exclusions) const {
    return set_of(before_[step].turns_left, exclusions);
}

ExclusionSet Flow::perhaps_held_at(StepId step, Exclusions& exclusions) const {
    return set_of((before_[step].held_by_condition | before_[step].perhaps_held) & ~turns_,
                  exclusions);
}

ExclusionSet Flow::set_of(LockSet locks, Exclusions& exclusions) const {
    if (locks == 0) return 0;
    std::vector<ExclusionId> members;
    for (std::size_t i = 0; i < locks_.size(); ++i) {
        if ((locks >> i & 1) != 0) members.push_back(locks_[i]);
    }
    return exclusions.intern(std::move(members));
}

void Flow::find_excluded(const Arguments& arguments) {
    const std::span<const Region> regions = shape_.regions();
    is_excluded_.assign(regions.size(), false);
    if (arguments.empty()) return;
    for (RegionId i = 1; i < regions.size(); ++i) {
        const Region& region = regions[i];
        is_excluded_[i] = is_excluded_[region.parent];
        const auto position = static_cast<std::size_t>(region.tested.number);
        const bool is_on_argument = compares_argument(region) || asks_argument(region);
        if (!is_on_argument || position >= arguments.size()) continue;
        const std::optional<std::int64_t>& argument = arguments[position];
        const bool is_on_number =
            argument && (*argument < kFirstText) == (region.number < kFirstText);
        if (!is_on_number || (*argument == kOneProcess) != (region.number == kOneProcess)) continue;
        if (!may_hold(region.condition, region.number, *argument)) is_excluded_[i] = true;
    }
}

void Flow::number_async() {
    const std::span<const Step> steps = shape_.steps();
    const auto add = [this](StepId step,
                            AsyncSet bit,
                            bool is_thread,
                            StringId thread,
                            const Operand& known_by = {}) {
        const RegionId region = shape_.steps()[step].region;
        makers_.push_back({.scope = shape_.scope_of(region),
                           .bit = bit,
                           .inside = region,
                           .by = shape_.path(region).task,
                           .thread = thread,
                           .known_by = known_by,
                           .step = step,
                           .is_thread = is_thread});
    };
    for (StepId i = 0; i < steps.size(); ++i) {
        const Step& step = steps[i];
        const std::uint32_t scope = shape_.scope_of(step.region);
        if (step.kind == StepKind::Enter && is_deferred_task(shape_.regions()[step.target])) {
            task_bits_[i] = shape_.task_bit(step.target);
            add(i, task_bits_[i], false, 0);
        }
        if (step.kind == StepKind::StartThread) {
            thread_bits_[i] = shape_.add_bit(scope);
            add(i, thread_bits_[i], true, step.name, {step.value, shape_.function()});
        }
        const auto effect = effects_.find(i);
        if (effect == effects_.end()) continue;
        if (effect->second.leaves_tasks) {
            task_bits_[i] = shape_.add_bit(scope);
            add(i, task_bits_[i], false, 0);
        }
        if (effect->second.leaves_descendants) {
            descendant_bits_[i] = shape_.add_bit(scope);
            add(i, descendant_bits_[i], false, 0);
            makers_.back().by = kCallee;
        }
        for (const Operand& thread : effect->second.threads) {
            const AsyncSet bit = shape_.add_bit(scope);
            thread_bits_[i] |= bit;
            add(i, bit, true, 0, thread);
        }
    }
}

void Flow::number_barriers() {
    barriers_.assign(shape_.scopes().size(), 1);
    const std::span<const Step> steps = shape_.steps();
    for (StepId i = 0; i < steps.size(); ++i) {
        const auto effect = effects_.find(i);
        const bool is_barrier = steps[i].kind == StepKind::Barrier ||
                                (steps[i].kind == StepKind::Leave &&
                                 shape_.regions()[steps[i].target].barrier_at_end) ||
                                (effect != effects_.end() && effect->second.may_pass_barrier);
        if (is_barrier) barrier_ids_[i] = barriers_[shape_.scope_of(steps[i].region)]++;
    }
}

void Flow::run(std::uint32_t id) {
    const Scope& scope = shape_.scopes()[id];
    const std::size_t words = words_for(barriers_[id]);
    for (const StepId step : scope.steps)
        before_[step].barriers.assign(words, 0);
    ends_[id].barriers.assign(words, 0);
    for (const StepId start : scope.starts) {
        set_bit(before_[start].barriers, 0);
        before_[start].is_reached = true;
        before_[start].held = first_turns(id);
        if (id != 0)
            before_[start].held_by_condition = entered_by_condition(shape_.enter_of(scope.region));
        before_[start].rounds = first_rounds_;
        if (id == 0) before_[start].pending |= incoming_;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (const StepId step : scope.steps) {
            if (!before_[step].is_reached) continue;
            const At behind = after(step);
            for (const StepId next : shape_.next(step)) {
                if (is_excluded_[shape_.steps()[next].region]) continue;
                const Step& follower = shape_.steps()[next];
                const bool ends_task = follower.kind == StepKind::Leave &&
                                       is_deferred_task(shape_.regions()[follower.target]) &&
                                       step != shape_.enter_of(follower.target);
                const bool changes = merge_on_way(behind, step, next, !ends_task);
                changed = changed || changes;
            }
        }
    }
    for (const StepId step : scope.steps) {
        if (!before_[step].is_reached) continue;
        if (!is_scope_end(step, id)) continue;
        At end = after(step);
        for (const StepId next : shape_.steps()[step].next) {
            if (shape_.steps()[next].kind == StepKind::Leave) end = on_way(end, step, next);
        }
        merge(ends_[id], end, true);
    }
}

/// What is `behind` the step, in front of the next one. True: that has changed.
bool Flow::merge_on_way(const At& behind, StepId step, StepId next, bool with_locks) {
    if ((behind.pending & absent_at(next)) != 0) {
        At left = behind;
        left.pending &= ~absent_at(next);
        return merge_on_way(left, step, next, with_locks);
    }
    if (starts_task(step, next)) return merge(before_[next], in_task(behind, step), with_locks);
    if (!conditional_.contains({step, next})) return merge(before_[next], behind, with_locks);
    return merge(before_[next], on_way(behind, step, next), with_locks);
}

bool Flow::is_scope_end(StepId step, std::uint32_t scope) const {
    if (scope == 0) return shape_.steps()[step].kind == StepKind::Exit;
    const std::vector<StepId>& next = shape_.steps()[step].next;
    return std::any_of(next.begin(), next.end(), [&](StepId each) {
        const Step& other = shape_.steps()[each];
        return other.kind == StepKind::Leave && other.target == shape_.scopes()[scope].region;
    });
}

/// The thread that runs a task holds none of the locks of the one that made it.
bool Flow::starts_task(StepId step, StepId next) const {
    const Step& enter = shape_.steps()[step];
    return enter.kind == StepKind::Enter && is_deferred_task(shape_.regions()[enter.target]) &&
           shape_.is_inside(shape_.steps()[next].region, enter.target);
}

Flow::At Flow::in_task(At at, StepId enter) const {
    at.held = at.perhaps_held = at.perhaps_taken = 0;
    at.held_by_condition = entered_by_condition(enter);
    return at;
}

/// Where a region or task begins with the branch that takes a lock.
LockSet Flow::entered_by_condition(StepId enter) const {
    const auto found = entered_by_condition_.find(enter);
    return found == entered_by_condition_.end() ? 0 : found->second;
}

Flow::At Flow::after(StepId id) const {
    At at = before_[id];
    const Step& step = shape_.steps()[id];
    switch (step.kind) {
        case StepKind::Barrier:
            pass_barrier(at, id);
            break;
        case StepKind::Leave:
            leave_region(at, step);
            if (barrier_ids_[id] != 0) pass_barrier(at, id);
            break;
        case StepKind::Enter:
            at.pending &= ~tasks_waited_for(id);
            break;
        case StepKind::Taskwait:
            at.pending &= ~tasks_made_in(step.region);
            break;
        case StepKind::StartThread:
            at.pending |= thread_bits_[id];
            break;
        case StepKind::JoinThread:
            at.pending &= ~joined_before(id, at.pending);
            break;
        case StepKind::Join:
        case StepKind::Acquire:
        case StepKind::Release:
        case StepKind::Mpi:
        case StepKind::Call:
        case StepKind::Indirect:
        case StepKind::Exit:
        case StepKind::Way:
        case StepKind::Keep:
            break;
    }
    if (const auto effect = effects_.find(id); effect != effects_.end())
        call(at, id, effect->second);
    if (const auto found = locking_.find(id); found != locking_.end())
        pass_locks(at, found->second);
    if (step.turn == Turn::Passed && step.kind == StepKind::Acquire) {
        for (const StringId barrier : counted_at(step)) {
            const auto rounds = at.rounds.find(barrier);
            if (rounds != at.rounds.end()) rounds->second = sum_of(rounds->second, kOneRound);
        }
    }
    return at;
}

void Flow::pass_barrier(At& at, StepId step) const {
    std::fill(at.barriers.begin(), at.barriers.end(), 0);
    set_bit(at.barriers, barrier_ids_[step]);
    const std::uint32_t scope = shape_.scope_of(shape_.steps()[step].region);
    for (const Maker& maker : makers_) {
        if (!maker.is_thread && maker.scope == scope) at.pending &= ~maker.bit;
    }
}

void Flow::leave_region(At& at, const Step& step) const {
    const Region& region = shape_.regions()[step.target];
    if (region.kind == RegionKind::Taskgroup) at.pending &= ~tasks_inside(step.target);
    if (region.kind == RegionKind::Task || region.kind == RegionKind::Taskloop)
        at.pending |= shape_.task_bit(step.target);
}

void Flow::call(At& at, StepId step, const CallEffect& effect) const {
    if (effect.must_pass_barrier) {
        pass_barrier(at, step);
    } else if (effect.may_pass_barrier) {
        set_bit(at.barriers, barrier_ids_[step]);
    }
    for (const auto& [barrier, rounds] : effect.rounds)
        at.rounds[barrier] = sum_of(at.rounds[barrier], rounds);
    const RegionId region = shape_.steps()[step].region;
    if (effect.waits_for_tasks) at.pending &= ~tasks_made_in(region);
    at.pending &= ~joined_before(step, at.pending);
    at.pending |= task_bits_[step] | descendant_bits_[step] | thread_bits_[step];
}

bool Flow::merge(At& into, const At& from, bool with_locks) const {
    bool changed = unite(into.barriers, from.barriers);
    changed = unite(into.rounds, from.rounds) || changed;
    const AsyncSet pending = into.pending | from.pending;
    changed = changed || pending != into.pending;
    into.pending = pending;
    if (with_locks) {
        // What no path has come to yet is held: the first one says what really is.
        const bool is_first = !into.is_reached;
        const LockSet held = is_first ? from.held : into.held & from.held;
        const LockSet by_condition =
            is_first ? from.held_by_condition : into.held_by_condition & from.held_by_condition;
        const LockSet perhaps = into.perhaps_held | from.perhaps_held;
        const LockSet taken = into.perhaps_taken | from.perhaps_taken;
        const LockSet left = into.turns_left | from.turns_left;
        changed = changed || is_first || held != into.held ||
                  by_condition != into.held_by_condition || perhaps != into.perhaps_held ||
                  taken != into.perhaps_taken || left != into.turns_left;
        into.turns_left = left;
        into.held = held;
        into.held_by_condition = by_condition;
        into.perhaps_held = perhaps;
        into.perhaps_taken = taken;
        into.is_reached = true;
    }
    return changed;
}

AsyncSet Flow::tasks_inside(RegionId region) const {
    AsyncSet inside = 0;
    for (const Maker& maker : makers_) {
        const bool is_here = maker.scope == shape_.scope_of(region);
        if (!maker.is_thread && is_here && shape_.is_inside(maker.inside, region))
            inside |= maker.bit;
    }
    return inside;
}

/// By the task, or the thread, that executes `region`.
AsyncSet Flow::tasks_made_in(RegionId region) const {
    AsyncSet made = 0;
    for (const Maker& maker : makers_) {
        if (!maker.is_thread && maker.scope == shape_.scope_of(region) &&
            maker.by == shape_.path(region).task)
            made |= maker.bit;
    }
    return made;
}

}  // namespace mqinspect::thread_level
