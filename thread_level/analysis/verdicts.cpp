#include "thread_level/analysis/verdicts.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "thread_level/analysis/states.h"

namespace mqinspect::thread_level {
namespace {

StateSet states_of(Mode mode) {
    switch (mode) {
        case Mode::Serial:
            return kOutsideOfTeams;
        case Mode::One:
            return kOneOfTeam;
        case Mode::Team:
            return kInTeam;
        case Mode::Several:
            break;
    }
    return set_of(State::NestedTeam) | set_of(State::OneOfNestedTeam);
}

bool asks_for_levels(const Program& program) {
    for (FunctionId id = 0; id < program.unit().functions.size(); ++id) {
        for (const Region& region : program.regions(id)) {
            if (region.condition == Condition::LevelAtLeast) return true;
        }
    }
    return false;
}

}  // namespace

Verdicts::Verdicts(const Program& program, const Contexts& contexts, Summaries& summaries)
    : program_(program), contexts_(contexts), summaries_(summaries), marks_(program.nodes()) {
    judge_states();
    judge_pairs();
    mark();
}

const Group& Verdicts::first_of(const Pair& pair) const {
    return summaries_.scopes(pair.function)[pair.scope].groups[pair.first];
}

const Group& Verdicts::second_of(const Pair& pair) const {
    return summaries_.scopes(pair.function)[pair.scope].groups[pair.second];
}

bool Verdicts::meets_itself(const Pair& pair) const {
    return pair.first == pair.second && first_of(pair).executor.who == Who::All;
}

const std::vector<Origin>& Verdicts::origins_of(const GroupKey& key) const {
    const auto& [node, scope, group] = key;
    return summaries_.scopes(node)[scope].groups[group].origins;
}

/// Settles for the group which of its origins leads to a call of MPI on a short way, and for those
/// on the way. Functions that call each other have calls that lead back.
bool Verdicts::find_lead(const GroupKey& start) const {
    struct At {
        GroupKey key;
        std::size_t from;    // index of what it is an origin of
        std::size_t origin;  // of that
    };
    std::set<GroupKey> seen = {start};
    std::vector<At> all = {{start, 0, 0}};
    const auto settle = [&](std::size_t at, std::size_t origin) {
        for (; leads_.try_emplace(all[at].key, origin).second && at != 0; at = all[at].from)
            origin = all[at].origin;
    };
    for (std::size_t at = 0; at < all.size(); ++at) {
        const auto known = leads_.find(all[at].key);
        if (known != leads_.end()) {
            if (at != 0) settle(all[at].from, all[at].origin);
            return true;
        }
        const std::vector<Origin>& origins = origins_of(all[at].key);
        for (std::size_t i = 0; i < origins.size(); ++i) {
            const Origin& origin = origins[i];
            if (origin.node == kNone) {
                settle(at, i);
                return true;
            }
            const GroupKey below{origin.node, origin.scope, origin.group};
            if (seen.insert(below).second) all.push_back({below, at, i});
        }
    }
    return false;
}

Verdicts::Route Verdicts::route_to(const Pair& pair, bool is_second, StepId other) const {
    constexpr std::size_t most_calls = 32;
    Route route;
    route.function = pair.function;
    GroupKey at{pair.function, pair.scope, is_second ? pair.second : pair.first};
    const std::vector<Origin>& first = origins_of(at);
    const Origin* origin = nullptr;
    // The one to avoid comes last.
    for (const bool is_late : {false, true}) {
        for (const Origin& each : first) {
            if (origin != nullptr || (each.step == other) != is_late) continue;
            if (each.node == kNone || find_lead({each.node, each.scope, each.group}))
                origin = &each;
        }
    }
    for (std::size_t i = 0; origin != nullptr; ++i) {
        const Node node = std::get<0>(at);
        route.function = node;
        route.step = origin->step;
        if (origin->node == kNone) break;
        if (program_.is_function(node) && node != origin->node && i < most_calls)
            route.calls.emplace_back(node, origin->step);
        at = {origin->node, origin->scope, origin->group};
        origin = &origins_of(at)[leads_.at(at)];
    }
    return route;
}

Verdicts::Route Verdicts::route_to_site(const Pair& pair,
                                        bool is_second,
                                        FunctionId function,
                                        StepId step) const {
    struct At {
        GroupKey key;
        std::size_t from;  // index of what leads to it, by the step
        StepId step;
    };
    Route route;
    const GroupKey start{pair.function, pair.scope, is_second ? pair.second : pair.first};
    std::set<GroupKey> seen{start};
    std::vector<At> all{{start, 0, kNone}};
    std::size_t found = 0;
    for (; found < all.size() && route.step == kNone; ++found) {
        const GroupKey key = all[found].key;
        for (const Origin& origin : origins_of(key)) {
            const GroupKey below{origin.node, origin.scope, origin.group};
            if (origin.node != kNone) {
                if (seen.insert(below).second) all.push_back({below, found, origin.step});
            } else if (std::get<0>(key) == function && origin.step == step) {
                route.function = function;
                route.step = step;
            }
        }
    }
    if (route.step == kNone) return route;
    for (std::size_t at = found - 1; at != 0; at = all[at].from) {
        const Node caller = std::get<0>(all[all[at].from].key);
        if (program_.is_function(caller) && caller != std::get<0>(all[at].key))
            route.calls.emplace_back(caller, all[at].step);
    }
    std::ranges::reverse(route.calls);
    return route;
}

const SiteVerdict* Verdicts::site_of(FunctionId function, StepId step) const {
    const auto first = sites_.begin() + first_site_[function];
    const auto last = sites_.begin() + first_site_[function + 1];
    const auto found = std::lower_bound(
        first, last, step, [](const SiteVerdict& each, StepId id) { return each.site.step < id; });
    return found == last || found->site.step != step ? nullptr : &*found;
}

void Verdicts::judge_states() {
    const auto functions = static_cast<FunctionId>(program_.unit().functions.size());
    first_site_.assign(functions + 1, 0);
    for (FunctionId function = 0; function < functions; ++function) {
        const std::span<const Step> steps = program_.steps(function);
        for (StepId id = 0; id < steps.size(); ++id) {
            if (steps[id].kind == StepKind::Mpi) judge_states(function, id, sites_.emplace_back());
        }
        first_site_[function + 1] = static_cast<std::uint32_t>(sites_.size());
    }
}

void Verdicts::judge_states(FunctionId function, StepId id, SiteVerdict& verdict) const {
    const Step& step = program_.steps(function)[id];
    verdict.site.function = function;
    verdict.site.step = id;
    const StateSet counted = program_.is_way_out(function, id) ? kOutsideOfTeams : kAnyState;
    verdict.site.states =
        public_states(static_cast<StateSet>(contexts_.states_in(function, step.region) & counted));
    verdict.site.word = word_of(function, step.region);
    verdict.site.perhaps = contexts_.may_be_entered_from_outside(function);
    const std::span<const Region> regions = program_.regions(function);
    for (RegionId region = step.region; region != 0; region = regions[region].parent) {
        const bool is_unknown = program_.condition(regions[region]).is_unknown;
        const bool perhaps = regions[region].team == Team::Perhaps;
        verdict.is_unsure = verdict.is_unsure || is_unknown;
        verdict.site.perhaps = verdict.site.perhaps || is_unknown || perhaps;
    }
    const Use use = program_.procedure(step.name).use;
    if (use == Use::Exempt || use == Use::Info || use == Use::SessionInit) return;
    for (int state = 0; state < kAllStates; ++state) {
        const auto entry =
            static_cast<StateSet>(contexts_.entered(function) &
                                  static_cast<StateSet>(1U << static_cast<unsigned>(state)));
        if (entry == 0) continue;
        const auto states =
            static_cast<StateSet>(contexts_.states_in(function, step.region, entry) & counted);
        const Level level = level_of(states);
        const Level assured =
            contexts_.assured_in(function, step.region, entry == set_of(State::Serial));
        if (level <= std::max(assured, contexts_.assured(function, state))) continue;
        if (verdict.state >= 0 && level <= verdict.site.required) continue;
        verdict.site.required = level;
        verdict.state = state;
    }
    // The main thread has to call it, alone: no higher level makes up for that.
    if (use == Use::Finalize)
        verdict.site.required = std::min(verdict.site.required, Level::Funneled);
}

/// All that call the function have looked, and found MPI_THREAD_MULTIPLE to be provided.
bool Verdicts::is_assured(const Pair& pair) const {
    const StateSet states = static_cast<StateSet>(
        contexts_.entered(pair.function) & (pair.scope == 0 ? states_of(pair.mode) : kAnyState));
    for (int state = 0; state < kAllStates; ++state) {
        const bool is_entered = (states >> state & 1) != 0;
        if (is_entered && contexts_.assured(pair.function, state) != Level::Multiple) return false;
    }
    return true;
}

/// What the locks are worth that both hold: whether one of them is one for all who call them.
Meeting Verdicts::turn_of(const Pair& pair, const Handles& handles) const {
    Exclusions& exclusions = summaries_.exclusions();
    const ExclusionSet common =
        exclusions.intersect(first_of(pair).exclusions, second_of(pair).exclusions);
    if (pair.mode != Mode::Several && is_same_number(first_of(pair).known, second_of(pair).known))
        return Meeting::InTurn;
    Meeting best = Meeting::Together;
    for (const ExclusionId id : exclusions.members(common)) {
        const bool apart = pair.scope == 0 && pair.mode == Mode::Team;
        const Sameness sameness = handles.same_lock(exclusions[id], pair.function, apart);
        if (sameness == Sameness::Same) return Meeting::InTurn;
        if (sameness == Sameness::Different) continue;
        best = Meeting::InSomeTurn;
    }
    return best;
}

void Verdicts::judge_pairs() {
    const Handles handles(program_, contexts_, summaries_.outer_locks());
    const EntryLocks entry(program_, contexts_, summaries_, handles, false);
    std::optional<EntryLocks> entry_or_assured;
    if (asks_for_levels(program_))
        entry_or_assured.emplace(program_, contexts_, summaries_, handles, true);
    AskedGroups asked(program_, contexts_, summaries_);
    const Judging judging{handles, entry, asked, entry_or_assured ? &*entry_or_assured : nullptr};
    for (const bool is_of_runs : {true, false}) {
        for (const Pair& pair : summaries_.pairs())
            if (is_of_run(pair) == is_of_runs) judge_pair(pair, judging);
    }
}

void Verdicts::judge_pair(Pair pair, const Judging& judging) {
    const Group& a = first_of(pair);
    const Group& b = second_of(pair);
    const StateSet entered = pair.scope == 0 ? states_of(pair.mode) : kAnyState;
    for (const std::uint32_t group : {pair.first, pair.second})
        if (judging.asked.is_refuted(pair.function, pair.scope, group, entered)) return;
    Cause cause;
    cause.is_assured = is_assured(pair);
    cause.is_collective = a.procedure.use == Use::Collective && b.procedure.use == Use::Collective;
    const auto communicator = [&] {
        return judging.handles.compare(a.communicator, b.communicator, pair);
    };
    if (pair.scope == 0) {
        const StateSet states = states_of(pair.mode);
        const Hold hold = judging.entry.held(pair.function, states);
        const bool is_apart = judging.entry_or_assured != nullptr && hold != Hold::Sure &&
                              judging.entry_or_assured->held(pair.function, states) == Hold::Sure;
        if (is_apart && !(cause.is_collective && communicator() == Sameness::Same)) return;
        if (hold == Hold::Sure) return;
        cause.is_presumed_apart = hold == Hold::Presumed;
        if (pair.meeting == Meeting::InTurn) pair.meeting = turn_of(pair, judging.handles);
        if (hold == Hold::Perhaps && pair.meeting == Meeting::Together)
            pair.meeting = Meeting::InSomeTurn;
    }
    if (is_of_run(pair)) return cause.is_assured ? void() : note_run(pair);
    if (!may_meet_as_run(pair)) return;
    if (pair.meeting != Meeting::Together) {
        if (!cause.is_assured) turns_.push_back(pair);
        return;
    }
    cause.pair = pair;
    cause.communicator = communicator();
    cause.is_presumed_apart =
        cause.is_presumed_apart || summaries_.exclusions().meet(a.presumed, b.presumed);
    cause.is_unsure = a.has_unknown_guard || b.has_unknown_guard || cause.is_presumed_apart;
    causes_.push_back(cause);
}

/// Whether one of the two, or both, is a call of a packaged task.
bool Verdicts::is_of_run(const Pair& pair) const {
    return first_of(pair).procedure.use == Use::RunsTask ||
           second_of(pair).procedure.use == Use::RunsTask;
}

void Verdicts::note_run(const Pair& pair) {
    if (pair.meeting == Meeting::InTurn) return;
    const auto note = [&](const Group& run, const Group& other, std::uint32_t number) {
        if (run.procedure.use != Use::RunsTask) return;
        if (other.run_by == 0) {
            find_sites({pair.function, pair.scope, number}, met_by_run_[run.run_by]);
        } else if (other.procedure.use == Use::RunsTask) {
            runs_that_meet_.insert({run.run_by, other.run_by});
        }
    };
    note(first_of(pair), second_of(pair), pair.second);
    note(second_of(pair), first_of(pair), pair.first);
}

/// What a packaged task is made of runs in a thread that calls such tasks, if the program has one:
/// it meets what that meets.
bool Verdicts::may_meet_as_run(const Pair& pair) const {
    const Group& a = first_of(pair);
    const Group& b = second_of(pair);
    if (a.run_by == 0 && b.run_by == 0) return true;
    if (a.run_by != 0 && b.run_by != 0) return runs_that_meet_.contains({a.run_by, b.run_by});
    const auto met = met_by_run_.find(a.run_by != 0 ? a.run_by : b.run_by);
    if (met == met_by_run_.end()) return false;
    std::set<Call> sites;
    find_sites({pair.function, pair.scope, a.run_by != 0 ? pair.second : pair.first}, sites);
    return std::ranges::any_of(sites, [&](const Call& site) { return met->second.contains(site); });
}

/// The MPI calls of a group.
void Verdicts::find_sites(const GroupKey& start, std::set<Call>& sites) const {
    std::set<GroupKey> seen{start};
    std::vector<GroupKey> open{start};
    while (!open.empty()) {
        const GroupKey at = open.back();
        open.pop_back();
        for (const Origin& origin : origins_of(at)) {
            if (origin.node == kNone) {
                sites.emplace(std::get<0>(at), origin.step);
            } else if (const GroupKey below{origin.node, origin.scope, origin.group};
                       seen.insert(below).second) {
                open.push_back(below);
            }
        }
    }
}

/// Causes that a higher level cures come first, and those that are sure: a call keeps its first.
/// That it meets itself comes before others that it meets: there, it is wrong by itself.
int Verdicts::rank(const Cause& cause) {
    if (cause.is_unsure) return 2;
    return cause.is_collective && cause.communicator == Sameness::Same ? 1 : 0;
}

/// Down from the groups that meet to the calls that are in them.
void Verdicts::mark() {
    std::stable_sort(causes_.begin(), causes_.end(), [this](const Cause& a, const Cause& b) {
        return std::pair(rank(a), !meets_itself(a.pair)) <
               std::pair(rank(b), !meets_itself(b.pair));
    });
    for (std::uint32_t i = 0; i < causes_.size(); ++i) {
        const Pair& pair = causes_[i].pair;
        const bool is_end = first_of(pair).procedure.use == Use::Finalize ||
                            second_of(pair).procedure.use == Use::Finalize;
        if (is_end && pair.first != pair.second) continue;  // wrong at each level
        const bool is_info =
            first_of(pair).procedure.use == Use::Info || second_of(pair).procedure.use == Use::Info;
        if (is_info) continue;  // right or wrong at each level
        if (causes_[i].is_assured) continue;
        if (first_of(pair).in_team == Level::Multiple) continue;
        const auto is_started_so = [](const Group& group) {
            return group.assured == Level::Multiple && group.async != 0;
        };
        // The thread is only there where that is provided.
        if (is_started_so(first_of(pair)) || is_started_so(second_of(pair))) continue;
        mark(pair.function, pair.scope, pair.first, i, false);
        if (pair.second != pair.first) mark(pair.function, pair.scope, pair.second, i, true);
        while (!todo_.empty()) {
            const Todo next = todo_.back();
            todo_.pop_back();
            mark_below(next);
        }
    }
}

void Verdicts::mark_below(const Todo& from) {
    for (const Origin& origin :
         summaries_.scopes(from.node)[from.scope].groups[from.group].origins) {
        if (origin.node != kNone) {
            mark(origin.node, origin.scope, origin.group, from.cause, from.is_second);
            continue;
        }
        const SiteVerdict* known = site_of(from.node, origin.step);
        if (known == nullptr || known->cause != kNone) continue;
        SiteVerdict& verdict = sites_[static_cast<std::size_t>(known - sites_.data())];
        verdict.cause = from.cause;
        verdict.is_second = from.is_second;
        const bool is_end =
            program_.procedure(program_.steps(from.node)[origin.step].name).use == Use::Finalize;
        if (!is_end) verdict.site.required = Level::Multiple;
    }
}

void Verdicts::mark(
    Node node, std::uint32_t scope, std::uint32_t group, std::uint32_t cause, bool second) {
    const std::vector<Summary>& scopes = summaries_.scopes(node);
    if (scope >= scopes.size() || group >= scopes[scope].groups.size()) return;
    if (scopes[scope].groups[group].assured == Level::Multiple) return;
    auto& marks = marks_[node];
    marks.resize(scopes.size());
    marks[scope].resize(scopes[scope].groups.size(), false);
    if (marks[scope][group]) return;
    marks[scope][group] = true;
    todo_.push_back(
        {.node = node, .scope = scope, .group = group, .cause = cause, .is_second = second});
}

std::string Verdicts::word_of(FunctionId function, RegionId region) const {
    const std::span<const Region> regions = program_.regions(function);
    std::string word;
    for (RegionId i = region; i != 0; i = regions[i].parent) {
        const ResolvedCondition condition = program_.condition(regions[i]);
        char letter = 0;
        switch (executor_of(regions[i], i, condition.condition, condition.number).who) {
            case Who::Master:
            case Who::Main:
                letter = 'M';
                break;
            case Who::Numbered:
            case Who::One:
                letter = 'S';
                break;
            case Who::All:
            case Who::Others:
            case Who::Nobody:
                break;
        }
        if (makes_team(regions[i])) letter = 'P';
        if (is_deferred_task(regions[i])) letter = 'T';
        if (letter == 0) continue;
        word.insert(0, letter + std::to_string(i) + (word.empty() ? "" : " "));
    }
    return word;
}

}  // namespace mqinspect::thread_level
