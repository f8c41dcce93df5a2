#include "thread_level/analysis/gather.h"

#include <algorithm>
#include <utility>

#include "thread_level/analysis/common_arguments.h"
#include "thread_level/analysis/handed_locks.h"
#include "thread_level/analysis/joined_threads.h"
#include "thread_level/analysis/main_thread.h"
#include "thread_level/analysis/outer_locks.h"
#include "thread_level/analysis/started_numbers.h"
#include "thread_level/analysis/states.h"
#include "thread_level/facts/relations.h"
#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {
namespace {

const Summary* summary_of(const AllSummaries& summaries, Node node) {
    return summaries[node].empty() ? nullptr : &summaries[node].front();
}

/// What the callee calls `operand`, in terms of the caller.
Operand handed(const Operand& operand, const Step& step, FunctionId caller) {
    if (operand.value.kind == Value::Kind::Parameter) return argument_for(operand, step, caller);
    if (operand.value.kind != Value::Kind::Local) return operand;
    // Another one at each call: of those that make it, each has its own.
    if (!operand.value.created_once) return {};
    Operand own = operand;
    own.value.is_shared = false;
    return own;
}

Group in_case(Group group, const CallCase::GroupCase& one) {
    group.at_entry = group.at_entry && one.at_entry;
    group.at_exit = group.at_exit && one.at_exit;
    return group;
}

/// Whether a turn is handed on by a variable of the function, which is another one at each call.
bool is_own(Node function, const Exclusion& turn, const Program& program) {
    const auto& owners = program.turns().owners;
    const auto owner = turn.kind == Exclusion::Kind::Turn ? owners.find(turn.name) : owners.end();
    return owner != owners.end() && owner->second == function;
}

ExclusionSet without_own(Node function,
                         ExclusionSet turns,
                         const Program& program,
                         Exclusions& exclusions) {
    if (turns == 0 || program.turns().owners.empty()) return turns;
    std::vector<ExclusionId> rest;
    for (const ExclusionId id : exclusions.members(turns)) {
        if (!is_own(function, exclusions[id], program)) rest.push_back(id);
    }
    return exclusions.intern(std::move(rest));
}

CallEffect& operator|=(CallEffect& effect, const Summary& summary) {
    effect.waits_for_tasks = effect.waits_for_tasks || summary.waits_for_tasks;
    effect.leaves_tasks = effect.leaves_tasks || summary.leaves_tasks;
    effect.leaves_descendants = effect.leaves_descendants || summary.leaves_descendants;
    effect.adds_threads = effect.adds_threads || summary.adds_threads;
    effect.starts_several = effect.starts_several || summary.starts_several;
    effect.starts_always = effect.starts_always && summary.starts_always;
    effect.calls_mpi = effect.calls_mpi || !summary.groups.empty();
    return effect;
}

}  // namespace

std::unordered_map<StepId, CallEffect> effects_of_calls(const Program& program,
                                                        FunctionId function,
                                                        const AllSummaries& summaries,
                                                        Exclusions& exclusions,
                                                        CallCases& cases,
                                                        const Arguments& arguments) {
    std::unordered_map<StepId, CallEffect> effects;
    const std::span<const Step> steps = program.steps(function);
    for (const CallEdge& edge : program.calls(function)) {
        const Caller caller{function, program.regions(function), program, edge.to};
        const Summary* summary = summary_of(summaries, edge.to);
        if (edge.kind != CallKind::Call) continue;
        const auto [at, is_new] = effects.try_emplace(edge.step);
        CallEffect& effect = at->second;
        if (is_new) effect.must_pass_barrier = effect.starts_always = true;
        effect.joined_always.clear();  // of several, one is called
        if (summary == nullptr) {
            effect.must_pass_barrier = effect.starts_always = false;
            continue;
        }
        effect |= *summary;
        unite_ways(effect.rounds, summary->rounds, is_new);
        const Step& step = steps[edge.step];
        const bool joins = !step.spares_moved || step.moved != 0;
        if (joins) hand_threads(effect.joined, summary->joined, step, function);
        if (joins && is_new)
            hand_threads(effect.joined_always, summary->joined_always, step, function);
        hand_threads(effect.threads, summary->threads, step, function);
        const CallCase* special =
            step.callbacks.empty() ? cases.of_call(edge.to, step.arguments, arguments) : nullptr;
        const bool may_pass =
            special != nullptr ? special->may_pass_barrier : summary->may_pass_barrier;
        const bool must_pass =
            special != nullptr ? special->must_pass_barrier : summary->must_pass_barrier;
        effect.may_pass_barrier = effect.may_pass_barrier || may_pass;
        effect.must_pass_barrier = effect.must_pass_barrier && must_pass;
        for (const LockEffect& lock : special != nullptr ? special->locks : summary->locks) {
            ExclusionId outside = 0;
            if (is_own(edge.to, exclusions[lock.lock], program)) continue;
            if (!hand_lock(lock.lock, steps[edge.step], caller, exclusions, outside)) {
                if (exclusions[lock.lock].kind != Exclusion::Kind::HandedLock) continue;
                outside = exclusions.intern(Exclusion{.kind = Exclusion::Kind::Unknown});
            }
            effect.locks.push_back(lock);
            effect.locks.back().lock = outside;
        }
    }
    return effects;
}

/// Of what never comes back, all steps may.
void Gather::find_returning() {
    const std::span<const Step> steps = shape_.steps();
    may_return_.assign(steps.size(), false);
    std::vector<std::vector<StepId>> before(steps.size());
    std::vector<StepId> open;
    for (StepId id = 0; id < steps.size(); ++id) {
        for (const StepId next : steps[id].next)
            before[next].push_back(id);
        if (steps[id].kind == StepKind::Exit) open.push_back(id);
    }
    if (open.empty()) may_return_.assign(steps.size(), true);
    while (!open.empty()) {
        const StepId id = open.back();
        open.pop_back();
        if (may_return_[id]) continue;
        may_return_[id] = true;
        open.insert(open.end(), before[id].begin(), before[id].end());
    }
}

std::vector<Summary> Gather::run() {
    find_returning();
    scopes_.resize(shape_.scopes().size());
    for (auto scope = static_cast<std::uint32_t>(scopes_.size()); scope-- > 0;)
        gather(scope);
    return std::move(scopes_);
}

void Gather::gather(std::uint32_t scope) {
    Summary& summary = scopes_[scope];
    by_hash_.clear();
    for (const StepId id : shape_.scopes()[scope].steps) {
        const Step& step = shape_.steps()[id];
        if (step.kind == StepKind::Mpi) {
            add_procedure(id, summary);
        } else if (program_.runs_task(step)) {
            Group group;
            group.procedure.use = Use::RunsTask;
            group.run_by = step.name;
            place(group, id);
            add(std::move(group), {.step = id}, summary);
        } else if (step.kind == StepKind::Enter && has_own_team(shape_.regions()[step.target])) {
            add_nested(id, shape_.scope_at(step.target), summary);
        } else if (step.kind == StepKind::Taskwait) {
            if (shape_.path(step.region).task == kNone) summary.waits_for_tasks = true;
        } else if (step.kind == StepKind::JoinThread && may_return_[id]) {
            flow_.add_joined(summary.joined, {.value = step.value, .owner = shape_.function()});
        } else {
            add_called(id, summary);
        }
    }
    finish(scope, summary);
}

void Gather::add_procedure(StepId id, Summary& into) {
    const Step& step = shape_.steps()[id];
    const Procedure procedure = program_.procedure(step.name);
    if (procedure.use == Use::Exempt || procedure.use == Use::Init ||
        procedure.use == Use::InitThread || procedure.use == Use::SessionInit ||
        (procedure.use == Use::Info && step.mpi.object.kind == Value::Kind::Unknown))
        return;
    const auto operand = [this](const Value& value) {
        return Operand{.value = value, .owner = shape_.function()};
    };
    Group group;
    group.procedure = procedure;
    group.communicator = operand(step.mpi.communicator);
    group.object = operand(step.mpi.object);
    if (procedure.use == Use::Send || procedure.use == Use::Receive ||
        procedure.use == Use::Probe || procedure.use == Use::Epoch || procedure.use == Use::Info ||
        procedure.use == Use::TaggedCollective) {
        group.peer = operand(step.mpi.peer);
        group.tag = operand(step.mpi.tag);
    }
    place(group, id);
    add(std::move(group), {.step = id}, into);
}

/// Whether the group is for MPI's main thread only, and the edge starts another one.
bool Gather::is_of_other_thread(const CallEdge& edge, const Group& group) const {
    return edge.kind == CallKind::Start && group.executor.who == Who::Main &&
           !starts_main_thread(program_, shape_.function(), edge.step);
}

/// Of a thread that the step starts, or leaves.
OnlyStart Gather::only_start_at(StepId id) const {
    const FunctionId function = shape_.function();
    const std::span<const Region> regions = shape_.regions();
    const Step& step = shape_.steps()[id];
    for (RegionId region = step.region; region != 0; region = regions[region].parent) {
        const bool is_single = finds_no_thread(regions[region]) && is_kept_start(step) &&
                               (program_.is_single_guard(function, region) ||
                                flow_.is_locked_guard(id, region, exclusions_));
        if (makes_static(regions[region]) || is_single)
            return {.function = function, .guard = region};
    }
    if (flow_.is_lone_under_lock(id, exclusions_)) return {.function = function, .step = id};
    return {};
}

/// Where the call is, or the start of a thread.
void Gather::place_called(Group& group, StepId id, Async outlives, bool is_start) {
    const Executor inside = group.executor;
    group.is_called = !is_start;
    if (group.is_called) {
        using Kind = Exclusion::Kind;
        group.exclusions = without(Kind::FirstDrawn, group.exclusions, exclusions_);
    }
    place(group, id);
    const Path& path = shape_.path(shape_.steps()[id].region);
    if (is_start || outlives == Async::Thread) {
        const OnlyStart start = only_start_at(id);
        if (start.function != kNone) group.only_start = start;
        group.thread = thread_outside(group.thread, shape_.steps()[id], shape_.function());
        group.async |= flow_.threads_of(id, group.thread);
        group.executor = path.executor;
        group.known = {};
        group.is_task = false;
        group.is_first = group.is_last = true;
        group.behind = kNone;
    } else {
        if (outlives == Async::Task) group.async |= flow_.tasks_of(id);
        if (outlives == Async::Descendant) group.async |= flow_.descendants_of(id);
        narrow_called(group, path, called_at(id, inside));
    }
}

void Gather::add_called(StepId id, Summary& into) {
    for (const CallEdge& edge : program_.calls_of(shape_.function(), id)) {
        const Summary* callee = summary_of(summaries_, edge.to);
        if (callee == nullptr) continue;
        if (edge.kind == CallKind::Call && program_.ends_process(edge.to)) continue;
        const CallCase* special = case_of(edge);
        for (std::uint32_t i = 0; i < callee->groups.size(); ++i) {
            const bool has_case = special != nullptr && i < special->groups.size();
            const CallCase::GroupCase* one = has_case ? &special->groups[i] : nullptr;
            if ((one != nullptr && !one->is_reached) || is_of_other_thread(edge, callee->groups[i]))
                continue;
            Group group = one == nullptr ? lifted(edge, callee->groups[i])
                                         : lifted(edge, in_case(callee->groups[i], *one));
            group.turns = without_own(edge.to, group.turns, program_, exclusions_);
            const bool is_start = edge.kind == CallKind::Start;
            const Asked asked = group.asked;
            const Handing handing = hand_number(group.asked, shape_.steps()[id], is_start);
            if (handing == Handing::Never || handing == Handing::OtherOnly ||
                !ask_for_written(group.asked, program_, shape_, id))
                continue;
            note_started(group, asked, handing, is_start);
            const Async outlives = callee->groups[i].outlives;
            const StringId run_by = program_.run_by(shape_.steps()[id], edge.to);
            if (run_by != 0 && outlives != Async::Thread && group.run_by == 0)
                group.run_by = run_by;
            place_called(group, id, outlives, is_start);
            if (group.executor.who == Who::Nobody) continue;
            add(std::move(group), {.step = id, .scope = 0, .node = edge.to, .group = i}, into);
        }
    }
}

/// Of a call with constants that matter; nullptr: it is none.
const CallCase* Gather::case_of(const CallEdge& edge) {
    const Step& step = shape_.steps()[edge.step];
    const bool is_call = edge.kind == CallKind::Call && program_.is_function(edge.to);
    return is_call && step.callbacks.empty() ? cases_.of_call(edge.to, step.arguments, {})
                                             : nullptr;
}

/// A callee's group as its caller sees it, without what the place of the call adds.
Group Gather::lifted(const CallEdge& edge, const Group& group) const {
    const StepId id = edge.step;
    const Step& step = shape_.steps()[id];
    const FunctionId caller = shape_.function();
    Group result = group;
    result.origins.clear();
    result.communicator = handed(group.communicator, step, caller);
    // A request of the callee is another one than all others have.
    if (group.object.value.kind != Value::Kind::Local)
        result.object = handed(group.object, step, caller);
    result.peer = handed(group.peer, step, caller);
    result.tag = handed(group.tag, step, caller);
    result.perhaps = 0;
    const Caller place{caller, shape_.regions(), program_, edge.to};
    result.exclusions = hand_locks(group.exclusions, step, place, exclusions_, result.perhaps);
    const ExclusionSet perhaps =
        hand_locks(group.perhaps, step, place, exclusions_, result.perhaps);
    result.perhaps = exclusions_.unite(result.perhaps, perhaps);
    if (group.outlives == Async::Thread) {
        const ExclusionSet own = own_outer_locks(group.exclusions, edge.to, program_, exclusions_);
        result.perhaps = exclusions_.unite(result.perhaps, own);
    }
    result.arguments = told_to_caller(group.arguments, exclusions_);
    result.is_worksharing_below = group.is_worksharing_below || group.worksharing != kNone;
    result.worksharing = result.holder = kNone;
    result.async = 0;
    result.joined_below.clear();
    hand_threads(result.joined_below, group.joined, step, caller);
    result.is_first = group.at_entry;
    result.is_last = group.at_exit;
    result.behind = kNone;
    const CallEffect* effect = flow_.effect_of(id);
    if (effect != nullptr && effect->may_pass_barrier && group.at_exit) result.behind = id;
    return result;
}

/// Adds what the path to the step says.
void Gather::place(Group& group, StepId id) {
    const Path& path = shape_.path(shape_.steps()[id].region);
    group.step = id;
    if (!group.is_called && !group.is_nested) {
        group.executor = path.executor;
        group.known = path.known;
        group.is_task = path.task != kNone;
    }
    if (path.worksharing != kNone) {
        group.worksharing = path.worksharing;
        group.is_worksharing_below = false;
    }
    group.holder = path.holder;
    // What runs later, or on a thread of its own, is not under the locks of what made it.
    const bool is_apart =
        group.outlives != Async::No ||
        !(group.is_called || group.is_nested || shape_.steps()[id].kind == StepKind::Mpi ||
          program_.runs_task(shape_.steps()[id]));
    if (!is_apart) {
        group.exclusions = exclusions_.unite(
            group.exclusions, exclusions_.unite(path.exclusions, flow_.held_at(id, exclusions_)));
        if (!presumed_.empty()) group.presumed = exclusions_.unite(group.presumed, presumed_[id]);
        group.perhaps = exclusions_.unite(group.perhaps, flow_.perhaps_held_at(id, exclusions_));
        const ExclusionSet turns =
            without_left(flow_.turns_at(id, exclusions_), group.turns_left, exclusions_);
        group.turns = exclusions_.unite(group.turns, turns);
        group.turns_left =
            exclusions_.unite(group.turns_left, flow_.turns_left_at(id, exclusions_));
    } else {
        group.joined_below.clear();
    }
    group.joined = group.joined_below;
    if (!is_apart) add_threads(group.joined, flow_.joined_at(id, comes_last(group.procedure)));
    note_variables_of_main(group, program_, shape_.function(), shape_.steps()[id]);
    group.rounds = rounds_at(id, group);
    note_depends(group, id);
    group.async |= path.tasks;
    group.arguments = exclusions_.unite(group.arguments, path.arguments);
    group.is_many = path.is_many;
    group.is_of_first = path.is_of_first;
    if (!is_apart) ask_around(group.asked, program_, shape_, id);
    group.assured = std::max(group.assured, path.assured);
    group.in_team = path.in_team;
    group.below = std::min(group.below, path.below);
    group.has_unknown_guard = group.has_unknown_guard || path.has_unknown_guard;
    group.outlives = Async::No;
    group.state = flow_.state_at(id);
    group.is_way_out = group.is_way_out || program_.is_way_out(shape_.function(), id);
}

/// A thread that `id` starts has passed nothing before; a task may run at any time.
Rounds Gather::rounds_at(StepId id, const Group& group) const {
    const Step& step = shape_.steps()[id];
    const bool is_start = step.kind == StepKind::StartThread || group.outlives == Async::Thread;
    const bool is_task = group.outlives != Async::No || shape_.path(step.region).task != kNone;
    if (group.is_nested || (is_task && !is_start)) return {};
    if (is_start) return sum_of(flow_.before(id).rounds, group.rounds);
    Rounds rounds = flow_.before(id).rounds;
    for (const auto& [barrier, more] : group.rounds)
        rounds[barrier] = sum_of(rounds[barrier], more);
    return rounds;
}

void Gather::finish(std::uint32_t scope, Summary& summary) {
    const Flow::At& end = flow_.at_end(scope);
    const AsyncSet threads = flow_.threads_in(scope);
    const AsyncSet descendants = flow_.descendants_in(scope);
    for (Group& group : summary.groups) {
        group.at_entry = is_at_entry(group, group.step, flow_);
        group.at_exit = is_at_exit(group, group.step, flow_);
        if ((group.async & end.pending & threads) != 0) {
            group.outlives = Async::Thread;
        } else if ((group.async & end.pending & descendants) != 0) {
            group.outlives = Async::Descendant;
        } else if ((group.async & end.pending) != 0) {
            group.outlives = Async::Task;
        }
        if (group.outlives == Async::Thread) add_thread(summary.threads, group.thread);
        if (group.outlives != Async::Thread) group.thread = {};
        summary.leaves_tasks = summary.leaves_tasks || group.outlives == Async::Task;
        summary.leaves_descendants =
            summary.leaves_descendants || group.outlives == Async::Descendant;
    }
    summary.may_pass_barrier = flow_.has_barrier(scope);
    summary.must_pass_barrier =
        summary.may_pass_barrier && end.is_reached && (end.barriers.front() & 1) == 0;
    if (scope == 0) summary.joined_always = flow_.joined_at_end();
    if (scope == 0 && !summary.threads.empty()) flow_.note_starts(summary);
    summary.locks = flow_.locks_at_end(scope);
    summary.rounds = end.rounds;
    for (const StepId step : shape_.scopes()[scope].steps) {
        const CallEffect* effect = flow_.effect_of(step);
        if (effect == nullptr) continue;
        for (const Operand& joined : effect->joined) {
            if (may_return_[step]) flow_.add_joined(summary.joined, joined);
        }
        summary.waits_for_tasks =
            summary.waits_for_tasks ||
            (effect->waits_for_tasks && shape_.path(shape_.steps()[step].region).task == kNone);
    }
}

Summary united(Node node,
               const Program& program,
               const AllSummaries& summaries,
               Exclusions& exclusions) {
    Summary result;
    result.must_pass_barrier = true;
    bool is_any = false;
    for (const CallEdge& edge : program.calls(node)) {
        const Summary* callee = summary_of(summaries, edge.to);
        if (callee == nullptr) {
            result.must_pass_barrier = false;
            continue;
        }
        unite_ways(result.rounds, callee->rounds, !is_any);
        is_any = true;
        result.may_pass_barrier = result.may_pass_barrier || callee->may_pass_barrier;
        result.must_pass_barrier = result.must_pass_barrier && callee->must_pass_barrier;
        result.waits_for_tasks = result.waits_for_tasks || callee->waits_for_tasks;
        add_threads(result.joined, callee->joined);
        add_threads(result.threads, callee->threads);
        result.leaves_tasks = result.leaves_tasks || callee->leaves_tasks;
        result.leaves_descendants = result.leaves_descendants || callee->leaves_descendants;
        result.adds_threads = result.adds_threads || callee->adds_threads;
        result.starts_several = true;
        for (std::uint32_t i = 0; i < callee->groups.size(); ++i) {
            Group group = callee->groups[i];
            group.turns = without_own(edge.to, group.turns, program, exclusions);
            if (group.outlives == Async::Thread) {
                const ExclusionSet own =
                    own_outer_locks(group.exclusions, edge.to, program, exclusions);
                group.perhaps = exclusions.unite(group.perhaps, own);
            }
            group.exclusions =
                without_own_outer_locks(group.exclusions, edge.to, program, exclusions);
            group.origins = {{.step = kNone, .scope = 0, .node = edge.to, .group = i}};
            result.groups.push_back(std::move(group));
        }
    }
    result.must_pass_barrier = result.must_pass_barrier && is_any;
    return result;
}

}  // namespace mqinspect::thread_level
