#include "thread_level/analysis/meetings.h"

#include <algorithm>
#include <bit>

#include "thread_level/analysis/states.h"
#include "thread_level/facts/relations.h"

namespace mqinspect::thread_level {
namespace {

bool is_one(AsyncSet set) {
    return std::has_single_bit(set);
}

/// Whether one thread makes the tasks that the groups are in: "depend" orders the tasks of one
/// thread, or of one task.
bool are_by_one(const Group& a, const Group& b, Mode mode) {
    return mode == Mode::One || is_same_thread(a.executor, b.executor);
}

/// Whether tasks that one thread makes depend on the same element, that of the thread.
bool depend_on_element(const Shape& shape, AsyncSet tasks, AsyncSet others) {
    const auto is_of_thread = [](const Value& on) {
        return on.kind == Value::Kind::Element && on.number == 1;
    };
    const std::span<const Region> regions = shape.regions();
    for (RegionId one = 1; one < regions.size(); ++one) {
        if ((shape.task_bit(one) & tasks) == 0) continue;
        for (RegionId other = 1; other < regions.size(); ++other) {
            const bool is_other = (shape.task_bit(other) & others) != 0;
            if (is_other && depends(regions[one], regions[other], is_of_thread)) return true;
        }
    }
    return false;
}

/// Whether the two ask for levels of which the process has only one.
bool ask_for_other_levels(const Group& a, const Group& b) {
    const auto least = [](const Group& each) {
        return static_cast<int>(std::max(each.assured, each.in_team));
    };
    return least(a) >= b.below || least(b) >= a.below;
}

}  // namespace

void Meetings::find(std::uint32_t scope,
                    const std::vector<Group>& groups,
                    Mode mode,
                    std::vector<Pair>& pairs) {
    constexpr std::size_t most_groups = 512;  // of all pairs
    const auto count = static_cast<std::uint32_t>(std::min(groups.size(), most_groups));
    for (std::uint32_t i = 0; i < count; ++i) {
        for (std::uint32_t j = i; j < count; ++j) {
            const Group& a = groups[i];
            const Group& b = groups[j];
            if (!may_meet(a, b, mode) || are_different_turns(exclusions_, a.turns, b.turns) ||
                are_different_turns(exclusions_, a.arguments, b.arguments) ||
                are_apart(a.rounds, b.rounds))
                continue;
            Pair pair{.function = shape_.function(),
                      .scope = scope,
                      .first = i,
                      .second = j,
                      .mode = mode,
                      .meeting = Meeting::Together};
            // Each of several teams has such a number.
            const bool is_one = mode != Mode::Several && is_same_number(a.known, b.known);
            pair.meeting =
                is_one ? Meeting::InTurn : meeting_of(a, b, scope == 0 && mode == Mode::Team);
            pair.is_unordered =
                pair.meeting == Meeting::InTurn && ((is_one && i != j) || is_unordered(a, b));
            pair.is_next_round = is_next_round(a, b);
            pair.is_other_round = i == j && a.executor.who == Who::One && a.async == 0;
            if (mode == Mode::Team) pair.by_all = for_all(a, b);
            if (pair.by_all != 0) pair.threads = threads_around(a, b);
            pair.is_of_one_maker = is_of_one_maker(a, b) && !has_lock_of_maker(a, b);
            pair.has_two_ways = i == j && pair.is_unordered && has_two_ways(a);
            pair.is_left_to_others =
                pair.meeting == Meeting::InTurn &&
                (is_left_to_others(a, groups, false) || is_left_to_others(b, groups, false));
            pairs.push_back(pair);
        }
    }
}

/// `apart`: each of the two threads is in a call of its own of the function.
Meeting Meetings::meeting_of(const Group& a, const Group& b, bool apart) {
    const auto common = [&](ExclusionSet set, bool surely) {
        return kept(set, exclusions_, [&](const Exclusion& each) {
            if (each.kind == Exclusion::Kind::MakerLock) return false;
            if (each.kind == Exclusion::Kind::LocalLock) return !apart;
            if (each.kind != Exclusion::Kind::OuterLock) return true;
            const Sameness same = outer_locks_.sameness(each, shape_.function(), apart);
            return surely ? same == Sameness::Same : same != Sameness::Different;
        });
    };
    if (exclusions_.meet(common(a.exclusions, true), common(b.exclusions, true)))
        return Meeting::InTurn;
    const ExclusionSet first = common(exclusions_.unite(a.exclusions, a.perhaps), false);
    const ExclusionSet second = common(exclusions_.unite(b.exclusions, b.perhaps), false);
    const bool perhaps = exclusions_.meet(first, second) || may_be_same_member(first, second) ||
                         may_be_same_member(second, first);
    return perhaps ? Meeting::InSomeTurn : Meeting::Together;
}

/// Whether a lock in `a` is a member of an object that is not known, and one in `b` that member of
/// one that is.
bool Meetings::may_be_same_member(ExclusionSet a, ExclusionSet b) const {
    const std::vector<ExclusionId>& known = exclusions_.members(b);
    return std::ranges::any_of(exclusions_.members(a), [&](ExclusionId id) {
        const Exclusion& unknown = exclusions_[id];
        return unknown.kind == Exclusion::Kind::LockElement &&
               std::ranges::any_of(known, [&](ExclusionId other) {
                   return exclusions_[other].kind != Exclusion::Kind::Turn &&
                          exclusions_[other].field == unknown.name;
               });
    });
}

bool Meetings::may_meet(const Group& a, const Group& b, Mode mode) {
    if (a.executor.who == Who::Nobody || b.executor.who == Who::Nobody) return false;
    if (ask_for_other_levels(a, b)) return false;
    if (a.only_start.function != kNone && a.only_start == b.only_start) return false;
    const bool in_team = mode != Mode::Serial || shape_.scope_of(region_of(a)) != 0;
    if (in_team && (a.is_way_out || b.is_way_out)) return false;
    if (mode == Mode::Several) return true;
    // Of tasks it is not known in which order the thread executes them.
    if (is_same_number(a.known, b.known) && !a.is_task && !b.is_task) return false;
    if (meet_beside(a, b, mode)) return true;
    return mode == Mode::Team && meet_in_team(a, b);
}

/// What may be under way where the group begins.
AsyncSet Meetings::pending_before(const Group& group) const {
    const bool is_started = (group.async & flow_.threads_of(group.step)) != 0;
    if (is_started) return flow_.pending_at_start(group.step);
    return flow_.pending_at(group.step, comes_last(group.procedure)) &
           ~flow_.threads_joined(region_of(group), group.joined_below);
}

/// Tasks and threads, and what goes on while they are under way.
bool Meetings::meet_beside(const Group& a, const Group& b, Mode mode) {
    const std::uint32_t scope = shape_.scope_of(region_of(a));
    AsyncSet counted = ~AsyncSet{0};
    if (mode == Mode::Serial) counted = flow_.threads_in(scope);
    const AsyncSet only_a = a.async & ~b.async & counted;
    const AsyncSet only_b = b.async & ~a.async & counted;
    const bool pending = (only_a & pending_before(b)) != 0 || (only_b & pending_before(a)) != 0;
    if (pending) {
        const AsyncSet first = outermost(only_a, scope);
        const AsyncSet second = outermost(only_b, scope);
        const bool are_siblings = is_one(first) && is_one(second) && are_by_one(a, b, mode);
        const auto& order = dependences(scope);
        const auto found = order.find(first);
        const bool is_ordered = found != order.end() && (found->second & second) != 0;
        return !are_siblings || !(is_ordered || are_ordered(exclusions_, a.depends, b.depends));
    }
    const AsyncSet both = a.async & b.async & counted;
    if (both == 0) return false;
    if (a.is_many && b.is_many) return true;
    for (AsyncSet rest = both; rest != 0; rest &= rest - 1) {
        const AsyncSet bit = rest & ~(rest - 1);
        const StepId maker = maker_of(scope, bit);
        if (maker == kNone || (flow_.pending_at_start(maker) & bit) == 0) continue;
        const bool is_thread = (flow_.threads_of(maker) & bit) != 0;
        if (is_thread && mode == Mode::Serial && flow_.is_lone(maker)) continue;
        if (is_thread && a.started >= 0 && a.started == b.started) continue;
        const auto& order = dependences(scope);
        const auto found = order.find(bit);
        const bool is_ordered = (found != order.end() && (found->second & bit) != 0) ||
                                are_ordered(exclusions_, a.depends, b.depends);
        if (!is_ordered || !are_by_one(a, b, mode)) return true;
    }
    return false;
}

/// Whether one thread makes both tasks, or one of them and goes on to the other group, before the
/// first one has to be done.
bool Meetings::is_of_one_maker(const Group& a, const Group& b) {
    if ((a.async | b.async) == 0) return false;
    const std::uint32_t scope = shape_.scope_of(region_of(a));
    const auto tasks_before = [&](const Group& group) {
        return pending_before(group) & ~flow_.threads_in(scope);
    };
    const AsyncSet only_a = a.async & ~b.async;
    const AsyncSet only_b = b.async & ~a.async;
    const auto& order = dependences(scope);
    const auto is_after = [&](AsyncSet bit, AsyncSet before) {
        const auto found = order.find(bit);
        return (found != order.end() && (found->second & before) != 0) ||
               depend_on_element(shape_, bit, before);
    };
    if ((only_a & tasks_before(b)) != 0 || (only_b & tasks_before(a)) != 0)
        return !is_after(only_a, only_b) && !is_after(only_b, only_a);
    for (AsyncSet rest = a.async & b.async & ~flow_.threads_in(scope); rest != 0;
         rest &= rest - 1) {
        const AsyncSet bit = rest & ~(rest - 1);
        const StepId maker = maker_of(scope, bit);
        if (maker != kNone && (flow_.pending_at_start(maker) & bit) != 0 && !is_after(bit, bit))
            return true;
    }
    return false;
}

/// Whether both hold the lock of their maker.
bool Meetings::has_lock_of_maker(const Group& a, const Group& b) {
    const ExclusionSet common = exclusions_.intersect(a.exclusions, b.exclusions);
    return std::ranges::any_of(exclusions_.members(common), [this](ExclusionId id) {
        return exclusions_[id].kind == Exclusion::Kind::MakerLock;
    });
}

/// Without tasks that another one of them waits for before it ends.
AsyncSet Meetings::outermost(AsyncSet tasks, std::uint32_t scope) const {
    AsyncSet outer = tasks;
    for (RegionId task = 1; task < shape_.regions().size(); ++task) {
        const AsyncSet bit = shape_.task_bit(task) & tasks;
        if (bit == 0 || shape_.scope_of(task) != scope) continue;
        for (RegionId around = shape_.regions()[task].parent;
             around != kNone && shape_.scope_of(around) == scope;
             around = shape_.regions()[around].parent) {
            const StepId end = shape_.leave_of(around);
            const bool waits = (shape_.task_bit(around) & tasks) != 0 && end != kNone &&
                               (flow_.pending_at(end, false) & bit) == 0;
            if (waits) outer &= ~bit;
        }
    }
    return outer;
}

Flow::Ahead Meetings::ahead_of(const Group& group) const {
    const bool is_inside = group.is_called && flow_.effect_of(group.step) != nullptr;
    return {.step = group.step, .is_inside = is_inside, .is_behind = group.is_last};
}

bool Meetings::meet_in_team(const Group& a, const Group& b) {
    if (!share_phase(a, b) || !flow_.share_barrier_ahead(ahead_of(a), ahead_of(b))) return false;
    if (is_judged_below(a, b)) {
        if (a.executor.who != Who::One && is_same_thread(a.executor, b.executor)) return false;
        const bool over = (a.is_last && b.is_first) || (b.is_last && a.is_first);
        return over && flow_.reaches_behind(a.step, a.step);
    }
    if (is_same_thread(a.executor, b.executor)) return repeats(a, b);
    return !are_exclusive_ways(a, b);
}

bool Meetings::share_phase(const Group& a, const Group& b) const {
    if (a.is_first && b.is_first && flow_.share_phase(a.step, b.step)) return true;
    if (a.behind != kNone && b.is_first && flow_.is_behind(a.behind, b.step)) return true;
    if (b.behind != kNone && a.is_first && flow_.is_behind(b.behind, a.step)) return true;
    return a.behind != kNone && a.behind == b.behind;
}

/// What all threads reach by one and the same call is looked at in the function that it calls,
/// apart from two rounds of a loop around it.
bool Meetings::is_judged_below(const Group& a, const Group& b) const {
    if (!a.is_called || !b.is_called || a.step != b.step) return false;
    const auto is_single = [](const Group& group) {
        return std::all_of(group.origins.begin(),
                           group.origins.end(),
                           [&group](const Origin& each) { return each.step == group.step; });
    };
    if (!is_single(a) || !is_single(b)) return false;
    const Path& path = shape_.path(shape_.steps()[a.step].region);
    const bool is_all = path.executor.who == Who::All || path.executor.who == Who::Others;
    return is_all && path.task == kNone;
}

/// One construct again, by another thread, before the first is done with it.
bool Meetings::repeats(const Group& a, const Group& b) {
    if (a.executor.who != Who::One) return false;
    if (a.executor.instance >> 32 != 0) {
        const bool over = (a.is_last && b.is_first) || (b.is_last && a.is_first);
        return over && flow_.reaches_behind(a.step, a.step);
    }
    const auto region = static_cast<RegionId>(a.executor.instance);
    const RegionKind kind = shape_.regions()[region].kind;
    const bool changes =
        kind == RegionKind::Guard && shape_.regions()[region].number == kChangingNumber;
    if (changes) return flow_.reaches_behind(a.step, a.step);
    if (kind != RegionKind::Single && kind != RegionKind::Section) return false;
    const RegionId again = kind == RegionKind::Section ? shape_.regions()[region].parent : region;
    const StepId enter = shape_.enter_of(again);
    const StepId leave = shape_.leave_of(again);
    return enter != kNone && leave != kNone && flow_.reaches(leave, enter);
}

/// All threads come to a worksharing construct, or none: what is on another way is not executed.
/// Not where a condition on the thread is around the construct, which OpenMP does not allow.
bool Meetings::are_exclusive_ways(const Group& a, const Group& b) {
    const auto is_shared = [this](const Group& each) {
        const bool is_in_construct = each.worksharing != kNone;
        if (!is_in_construct && !each.is_worksharing_below) return false;
        const RegionId around =
            is_in_construct ? shape_.regions()[each.worksharing].parent : region_of(each);
        return shape_.path(around).executor.who == Who::All;
    };
    if (!is_shared(a) && !is_shared(b)) return false;
    if (a.worksharing != kNone && a.worksharing == b.worksharing) return false;
    const auto end_of = [this](const Group& each, bool at_end) {
        if (each.worksharing == kNone) return each.step;
        return at_end ? shape_.leave_of(each.worksharing) : shape_.enter_of(each.worksharing);
    };
    const auto comes_to = [&](const Group& from, const Group& to) {
        const StepId end = end_of(from, true);
        const StepId start = end_of(to, false);
        if (end == start || end == kNone || start == kNone) return true;
        if (from.is_called && from.worksharing == kNone)
            return from.is_last && flow_.reaches_behind(end, start);
        return flow_.reaches(end, start);
    };
    return !comes_to(a, b) && !comes_to(b, a);
}

/// Of what excludes each other: that either may come first. Within one group that is so for two
/// calls of it, or for what each thread calls for itself.
bool Meetings::is_unordered(const Group& a, const Group& b) {
    for (const ExclusionId id :
         exclusions_.members(exclusions_.intersect(a.exclusions, b.exclusions))) {
        if (exclusions_[id].kind == Exclusion::Kind::Ordered) return false;
    }
    return &a == &b ? !is_in_step(a) : !is_sequence(a, a.step, b, b.step);
}

/// What a loop counts that all threads of the team execute, with a barrier each time: it is the
/// same for all of them.
bool Meetings::is_in_step(const Group& group) {
    const bool is_counted = is_counted_element(group.object.value);
    const bool is_spread = group.worksharing != kNone || group.is_worksharing_below;
    if (!is_counted || is_spread || group.async != 0 || group.is_many) return false;
    return !flow_.reaches(group.step, group.step) || counts_under_lock(group);
}

/// Whether who executes the step goes through all rounds of a loop around it before others are let
/// in. Of a call, the loop is in what it calls.
bool Meetings::counts_under_lock(const Group& group) {
    if (group.is_called)
        return held_here(group) != 0 && !flow_.leads_to(group.step, group.step, kNone);
    if (group.holder == kNone) return flow_.stays_locked(group.step, group.step);
    return flow_.leads_to(group.step, group.step, shape_.leave_of(group.holder));
}

/// Whether both are in one loop, of which any thread may execute any iteration, and its next
/// execution begins before all are done with this one.
bool Meetings::is_next_round(const Group& a, const Group& b) {
    if (a.worksharing == kNone || a.worksharing != b.worksharing) return false;
    const Region& loop = shape_.regions()[a.worksharing];
    if (loop.kind != RegionKind::Loop || loop.number != kByAnyThread) return false;
    const StepId enter = shape_.enter_of(a.worksharing);
    const StepId leave = shape_.leave_of(a.worksharing);
    return enter != kNone && leave != kNone && flow_.reaches(leave, enter);
}

/// Two calls of the group of which either may come first.
bool Meetings::has_two_ways(const Group& group) const {
    constexpr std::size_t most_calls = 16;
    const std::size_t count = std::min(group.origins.size(), most_calls);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = i + 1; j < count; ++j) {
            if (!is_sequence(group, group.origins[i].step, group, group.origins[j].step))
                return true;
        }
    }
    return false;
}

/// Who executes one of the steps goes on to the other without letting others in.
bool Meetings::is_sequence(const Group& a, StepId first, const Group& b, StepId second) const {
    // A thread or task, and what goes on beside it. What threads with the same function do, they do
    // in the order of that.
    const Step& one = shape_.steps()[first];
    const Step& other = shape_.steps()[second];
    const bool are_alike = one.kind == StepKind::StartThread &&
                           other.kind == StepKind::StartThread && one.name == other.name;
    if (a.async != b.async && !are_alike) return false;
    // Behind one call their order is that of what it calls.
    if (first == second) return a.is_called || b.is_called;
    if (a.holder != kNone && a.holder == b.holder) {
        const StepId leave = shape_.leave_of(a.holder);
        return flow_.leads_to(first, second, leave) || flow_.leads_to(second, first, leave);
    }
    if (a.holder != kNone || b.holder != kNone) return false;
    return flow_.stays_locked(first, second) || flow_.stays_locked(second, first);
}

/// Whether who has probed for a message, one thread at a time, goes on to no receive before others
/// are let in. What one call leads to is looked at in what it calls, if not as a `whole`; what a
/// thread does, nobody has looked at.
bool Meetings::is_left_to_others(const Group& probe,
                                 const std::vector<Group>& groups,
                                 bool is_whole) {
    if (probe.procedure.use != Use::Probe) return false;
    const bool is_start = shape_.steps()[probe.step].kind == StepKind::StartThread;
    // A lock around the call keeps others out, whatever happens in there.
    const bool is_locked =
        !is_start && (held_here(probe) != 0 || flow_.perhaps_held_at(probe.step, exclusions_) != 0);
    const bool is_left_below = probe.lets_others_in && !is_locked && (is_whole || is_start);
    return std::none_of(groups.begin(), groups.end(), [&](const Group& group) {
        if (group.procedure.use != Use::Receive) return false;
        if (group.step == probe.step) return !is_left_below;
        return exclusions_.meet(held_here(probe), held_here(group)) &&
               is_sequence(probe, probe.step, group, group.step);
    });
}

void Meetings::note_left_probes(std::vector<Group>& groups) {
    for (Group& group : groups)
        group.lets_others_in = is_left_to_others(group, groups, true);
}

/// Without what is held only in what the step calls.
ExclusionSet Meetings::held_here(const Group& group) {
    return exclusions_.unite(shape_.path(region_of(group)).exclusions,
                             flow_.held_at(group.step, exclusions_));
}

StepId Meetings::maker_of(std::uint32_t scope, AsyncSet bit) const {
    for (const StepId step : shape_.scopes()[scope].steps) {
        if (((flow_.tasks_of(step) | flow_.threads_of(step)) & bit) != 0) return step;
    }
    return kNone;
}

/// Of tasks that one thread makes: the transitive closure of their "depend" clauses.
const std::map<AsyncSet, AsyncSet>& Meetings::dependences(std::uint32_t scope) {
    const auto [at, is_new] = dependences_.try_emplace(scope);
    std::map<AsyncSet, AsyncSet>& order = at->second;
    if (!is_new) return order;
    std::vector<RegionId> tasks;
    for (RegionId i = 1; i < shape_.regions().size(); ++i) {
        if (shape_.scope_of(i) == scope && shape_.task_bit(i) != 0 &&
            !shape_.regions()[i].dependences.empty())
            tasks.push_back(i);
    }
    for (const RegionId later : tasks) {  // what comes before it, in the order of the source
        AsyncSet before = 0;
        for (const RegionId earlier : tasks) {
            if (earlier > later || !depends(shape_.regions()[earlier], shape_.regions()[later]))
                continue;
            before |=
                shape_.task_bit(earlier) | (earlier == later ? 0 : order[shape_.task_bit(earlier)]);
        }
        order[shape_.task_bit(later)] = before;
    }
    for (const RegionId later : tasks) {
        for (const RegionId earlier : tasks) {
            if (earlier < later && (order[shape_.task_bit(later)] & shape_.task_bit(earlier)) != 0)
                order[shape_.task_bit(earlier)] |= shape_.task_bit(later);
        }
    }
    return order;
}

}  // namespace mqinspect::thread_level
