#include "thread_level/analysis/summaries.h"

#include <algorithm>
#include <cstdint>
#include <tuple>

#include "thread_level/analysis/gather.h"
#include "thread_level/analysis/presumed_locks.h"
#include "thread_level/analysis/states.h"

namespace mqinspect::thread_level {
namespace {

/// Others of the cycle speak of the groups by number.
void keep_numbers(const std::vector<Group>& known, std::vector<Group>& found) {
    std::vector<Group> ordered;
    for (const Group& group : known) {
        const auto same = std::find_if(found.begin(), found.end(), [&group](const Group& each) {
            return each.step != kNone && each.is_equal(group);
        });
        ordered.push_back(same == found.end() ? group : *same);
        if (same != found.end()) same->step = kNone;  // taken
    }
    for (Group& group : found) {
        if (group.step != kNone) ordered.push_back(std::move(group));
    }
    found = std::move(ordered);
}

/// What a function's own scope tells its callers, as far as it has to come all the way round a
/// cycle: which kinds of calls there are. In which contexts they are made may multiply with each
/// round.
using Extent = std::tuple<std::uint64_t,
                          std::size_t,
                          bool,
                          bool,
                          std::size_t,
                          std::size_t,
                          bool,
                          bool,
                          std::size_t,
                          bool,
                          bool>;

Extent extent_of(const std::vector<Summary>& scopes) {
    if (scopes.empty()) return {};
    const Summary& own = scopes.front();
    std::uint64_t uses = 0;
    for (const Group& group : own.groups)
        uses |= std::uint64_t{1} << static_cast<unsigned>(group.procedure.use);
    return {uses,
            own.locks.size(),
            own.may_pass_barrier,
            own.waits_for_tasks,
            own.joined.size(),
            own.joined_always.size(),
            own.leaves_tasks,
            own.leaves_descendants,
            own.threads.size(),
            own.adds_threads,
            own.starts_several};
}

}  // namespace

Summaries::Summaries(const Program& program, const Contexts& contexts)
    : program_(program),
      contexts_(contexts),
      outer_locks_(program, contexts),
      scopes_(program.nodes()),
      is_stale_(program.nodes(), false),
      call_cases_(program, scopes_, exclusions_),
      regions_(program.nodes()),
      held_(program.nodes()) {
    for (const std::vector<Node>& component : program.components())
        summarize(component);
}

HeldAtCall Summaries::held_at(Node node, StepId step) const {
    const auto found = held_[node].find(step);
    return found == held_[node].end() ? HeldAtCall{} : found->second;
}

/// All that a team, a thread or a task may come to. Where the program starts threads by itself,
/// those run beside what is serial otherwise.
bool Summaries::is_needed(Node node) const {
    const StateSet entered = contexts_.entered(node);
    if (entered == 0) return false;
    if ((entered & ~set_of(State::Serial)) != 0 || program_.starts_threads()) return true;
    const std::span<const Region> regions = program_.regions(node);
    return std::any_of(
        regions.begin(), regions.end(), [](const Region& region) { return makes_team(region); });
}

void Summaries::summarize(const std::vector<Node>& component) {
    // A cycle is gone through until nothing new comes round. Callees come first, so that it is
    // known after a few rounds; only cycles in cycles in cycles take more. In a very large cycle
    // each function learns what is two calls away, or contexts would multiply without end. So may
    // groups in a small one, of which each way round makes others.
    constexpr int most_rounds = 16;
    constexpr std::size_t most_groups = 1000;
    constexpr std::size_t most_functions = 32;
    const std::span<const CallEdge> calls = program_.calls(component.front());
    const bool is_cycle =
        component.size() > 1 || std::any_of(calls.begin(), calls.end(), [&](const CallEdge& edge) {
            return edge.to == component.front();
        });
    if (component.size() > most_functions) {
        for (const bool is_final : {false, true}) {
            for (auto node = component.rbegin(); node != component.rend(); ++node)
                summarize(*node, is_final);
        }
        return;
    }
    for (const Node node : component)
        is_stale_[node] = is_cycle;
    bool changes = is_cycle;
    std::size_t groups = 0;
    for (int round = 0; changes && round < most_rounds && groups < most_groups; ++round) {
        changes = false;
        groups = 0;
        for (const Node node : component)
            changes = (is_stale_[node] && refresh(node)) || changes;
        for (const Node node : component)
            groups += scopes_[node].empty() ? 0 : scopes_[node].front().groups.size();
    }
    for (const Node node : component)
        summarize(node, true);
}

/// True: there is something new for its callers.
bool Summaries::refresh(Node node) {
    is_stale_[node] = false;
    const Extent before = extent_of(scopes_[node]);
    summarize(node, false);
    if (extent_of(scopes_[node]) == before) return false;
    for (const CallerEdge& edge : program_.callers(node))
        is_stale_[edge.from] = true;
    return true;
}

void Summaries::summarize(Node node, bool is_final) {
    if (!is_needed(node)) return;
    if (program_.is_function(node)) {
        summarize_function(node, is_final);
    } else {
        scopes_[node] = {united(node, program_, scopes_, exclusions_)};
    }
}

void Summaries::summarize_function(FunctionId function, bool is_final) {
    if (program_.steps(function).empty()) return;
    const auto effects = effects_of_calls(program_, function, scopes_, exclusions_, call_cases_);
    Shape shape(program_, function, exclusions_);
    Flow flow(program_, shape, effects, exclusions_);
    const std::vector<ExclusionSet> presumed = presumed_locks(program_, function, exclusions_);
    std::vector<Summary> scopes =
        Gather(program_, shape, flow, scopes_, exclusions_, call_cases_, presumed).run();
    if (!scopes_[function].empty())
        keep_numbers(scopes_[function].front().groups, scopes.front().groups);
    scopes_[function] = std::move(scopes);
    if (!is_final) return;
    Meetings(shape, flow, exclusions_, outer_locks_)
        .note_left_probes(scopes_[function].front().groups);
    for (const Scope& scope : shape.scopes())
        regions_[function].push_back(scope.region);
    for (const CallEdge& edge : program_.calls(function)) {
        HeldAtCall held{.is_reset = true};
        if (edge.kind != CallKind::Start) held = held_around(shape, flow, edge.step);
        if (edge.kind == CallKind::Call && !presumed.empty()) held.presumed = presumed[edge.step];
        if (held.is_reset || held.exclusions != 0 || held.perhaps != 0 || held.presumed != 0)
            held_[function][edge.step] = held;
    }
    find_pairs(shape, flow);
}

HeldAtCall Summaries::held_around(const Shape& shape, const Flow& flow, StepId step) {
    HeldAtCall held;
    while (step != kNone) {
        const RegionId region = shape.steps()[step].region;
        const Path& path = shape.path(region);
        held.exclusions = exclusions_.unite(
            held.exclusions, exclusions_.unite(path.exclusions, flow.held_at(step, exclusions_)));
        held.perhaps = exclusions_.unite(held.perhaps, flow.perhaps_held_at(step, exclusions_));
        held.is_reset = path.task != kNone;
        const RegionId team = shape.scopes()[shape.scope_of(region)].region;
        if (team == 0 || held.is_reset) return held;
        if (makes_team(shape.regions()[team])) break;
        step = shape.enter_of(team);  // a team of one thread holds what that holds
    }
    held.is_reset = true;
    return held;
}

void Summaries::find_pairs(Shape& shape, Flow& flow) {
    const FunctionId function = shape.function();
    const StateSet entered = contexts_.entered(function);
    const StateSet outside = contexts_.from_outside(function);
    Meetings meetings(shape, flow, exclusions_, outer_locks_);
    const std::vector<Summary>& scopes = scopes_[function];
    const std::vector<Group>& groups = scopes.front().groups;
    constexpr StateSet unknown_teams = set_of(State::NestedTeam) | set_of(State::OneOfNestedTeam);
    if ((entered & kOutsideOfTeams) != 0 && program_.starts_threads())
        meetings.find(0, groups, Mode::Serial, pairs_);
    if ((entered & kOneOfTeam) != 0) meetings.find(0, groups, Mode::One, pairs_);
    if ((entered & kInTeam) != 0) meetings.find(0, groups, Mode::Team, pairs_);
    if ((outside & unknown_teams) != 0) meetings.find(0, groups, Mode::Several, pairs_);
    for (std::uint32_t scope = 1; scope < scopes.size(); ++scope) {
        const RegionId region = shape.scopes()[scope].region;
        if (!makes_team(shape.regions()[region])) continue;  // one thread meets nobody
        if (contexts_.states_in(function, region) != 0)
            meetings.find(scope, scopes[scope].groups, Mode::Team, pairs_);
    }
}

}  // namespace mqinspect::thread_level
