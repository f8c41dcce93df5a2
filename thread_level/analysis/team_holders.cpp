#include "thread_level/analysis/team_holders.h"

#include <algorithm>
#include <span>

#include "thread_level/analysis/loops.h"
#include "thread_level/analysis/possessions.h"
#include "thread_level/analysis/program.h"
#include "thread_level/analysis/states.h"
#include "thread_level/analysis/turn_values.h"

namespace mqinspect::thread_level {
namespace {

StepId step_of(std::span<const Step> steps, StepKind kind, RegionId target) {
    const auto found = std::find_if(steps.begin(), steps.end(), [&](const Step& step) {
        return step.kind == kind && step.target == target;
    });
    return found == steps.end() ? kNone : static_cast<StepId>(found - steps.begin());
}

/// Whether a thread may come back to a construct without a barrier, while others are still in it.
bool overtakes(const Program& program, FunctionId function, RegionId construct) {
    const std::span<const Region> regions = program.regions(function);
    const std::span<const Step> steps = program.steps(function);
    if (regions[construct].barrier_at_end) return false;
    const StepId enter = step_of(steps, StepKind::Enter, construct);
    const StepId leave = step_of(steps, StepKind::Leave, construct);
    if (enter == kNone || leave == kNone) return true;
    const StepId end = step_of(steps, StepKind::Leave, team_around(regions, construct));
    return end == kNone || leads_to(steps, leave, enter, end);
}

/// Whether one thread at a time executes the region.
bool is_of_one(const Program& program, FunctionId function, RegionId id) {
    const Region& region = program.regions(function)[id];
    switch (region.kind) {
        case RegionKind::Master:
            return true;
        case RegionKind::Single:
            return !overtakes(program, function, id);
        case RegionKind::Section:
            return !overtakes(program, function, region.parent);
        case RegionKind::Guard: {
            const ResolvedCondition said = program.condition(region);
            return !said.is_unknown &&
                   (said.condition == Condition::ThreadIsZero ||
                    (said.condition == Condition::ThreadIsOther && said.number != kChangingNumber));
        }
        default:
            return false;
    }
}

/// Whether one team of the function, and nothing of another thread, is around the region.
bool is_in_one_team(const Program& program, FunctionId function, RegionId region) {
    const std::span<const Region> regions = program.regions(function);
    int teams = 0;
    for (RegionId id = region; id != 0; id = regions[id].parent) {
        if (is_deferred_task(regions[id])) return false;
        if (makes_team(regions[id])) ++teams;
    }
    return teams == 1;
}

bool posts_inside(const Program& program, PartOfTeam part, const std::set<StringId>& semaphores) {
    const std::span<const Region> regions = program.regions(part.function);
    const std::span<const Step> steps = program.steps(part.function);
    const auto is_here = [&](StepId step) {
        return is_inside(regions, steps[step].region, part.region);
    };
    for (StepId step = 0; step < steps.size(); ++step) {
        if (steps[step].kind == StepKind::Release && is_of(steps[step], semaphores) &&
            is_here(step))
            return true;
    }
    const std::span<const CallEdge> calls = program.calls(part.function);
    return std::any_of(calls.begin(), calls.end(), [&](const CallEdge& call) {
        return call.kind == CallKind::Call && is_here(call.step) &&
               reaches(program, call.to, semaphores, StepKind::Release);
    });
}

bool is_called_once(const Program& program, FunctionId function) {
    constexpr int most_calls = 8;
    for (int depth = 0; depth < most_calls; ++depth) {
        const std::span<const CallerEdge> callers = program.callers(function);
        if (program.is_main(function)) return callers.empty();
        if (callers.size() != 1) return false;
        const CallerEdge& call = callers.front();
        if (call.kind != CallKind::Call || !program.is_function(call.from) ||
            is_in_loop(program.steps(call.from), call.step))
            return false;
        function = call.from;
    }
    return false;
}

}  // namespace

bool reaches(const Program& program,
             Node node,
             const std::set<StringId>& semaphores,
             StepKind kind) {
    std::vector<bool> executed(program.nodes(), false);
    program.add_executed(node, executed);
    for (FunctionId id = 0; id < program.unit().functions.size(); ++id) {
        const std::span<const Step> steps = program.steps(id);
        if (executed[id] && std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
                return step.kind == kind && is_of(step, semaphores);
            }))
            return true;
    }
    return false;
}

std::vector<PartOfTeam> possible_holders(const Program& program,
                                         const std::set<StringId>& semaphores) {
    std::vector<PartOfTeam> holders;
    for (FunctionId id = 0; id < program.unit().functions.size(); ++id) {
        const std::size_t count = program.regions(id).size();
        if (count < 3 || !reaches(program, id, semaphores, StepKind::Release) ||
            !is_serial(program, id))
            continue;
        for (RegionId region = 1; region < count; ++region) {
            const PartOfTeam part{.function = id, .region = region};
            if (is_in_one_team(program, id, region) && is_of_one(program, id, region) &&
                posts_inside(program, part, semaphores))
                holders.push_back(part);
        }
    }
    return holders;
}

bool is_entered_once(const Program& program, PartOfTeam part) {
    const std::span<const Region> regions = program.regions(part.function);
    const std::span<const Step> steps = program.steps(part.function);
    if (!is_called_once(program, part.function)) return false;
    for (StepId from = 0; from < steps.size(); ++from) {
        if (is_inside(regions, steps[from].region, part.region)) continue;
        for (const StepId to : steps[from].next) {
            if (is_inside(regions, steps[to].region, part.region) && is_in_loop(steps, from))
                return false;
        }
    }
    return true;
}

std::optional<RegionId> part_of_team(const Program& program, FunctionId function, StepId step) {
    if (!is_serial(program, function)) return std::nullopt;
    const std::span<const Region> regions = program.regions(function);
    std::optional<RegionId> part;
    for (RegionId id = program.steps(function)[step].region; id != 0; id = regions[id].parent) {
        if (is_deferred_task(regions[id])) return std::nullopt;
        if (makes_team(regions[id])) break;
        if (is_of_one(program, function, id)) part = id;
    }
    return part;
}

}  // namespace mqinspect::thread_level
