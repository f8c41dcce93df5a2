#include "thread_level/analysis/lone_starts.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "thread_level/analysis/program.h"
#include "thread_level/analysis/turn_values.h"

namespace mqinspect::thread_level {
namespace {

/// What a variable is, or is not, where a thread starts.
struct Flag {
    StringId variable = 0;
    StringId owner = 0;  ///< as Step::name of a turn
    std::int64_t number = 0;
    bool is = true;

    bool operator==(const Flag&) const = default;
    bool holds_for(std::int64_t value) const { return (value == number) == is; }
};

using WaysOfSteps = std::vector<std::vector<StepId>>;  // by step

/// Nothing is called, started, written or waited for there, but for locks.
bool is_quiet(const Step& step) {
    const bool is_lock =
        (step.kind == StepKind::Acquire || step.kind == StepKind::Release) && step.turn == Turn::No;
    return step.kind == StepKind::Join || step.kind == StepKind::Way ||
           step.kind == StepKind::Keep || is_lock || tests_turn(step);
}

/// The same, and no lock is taken or released.
bool leaves_locks(const Step& step) {
    return is_quiet(step) &&
           (tests_turn(step) || (step.kind != StepKind::Acquire && step.kind != StepKind::Release));
}

std::optional<std::int64_t> constant_of(const Step& step) {
    if (step.arguments.empty() || step.arguments.front().kind != Value::Kind::Constant)
        return std::nullopt;
    return step.arguments.front().number;
}

WaysOfSteps ways_back(std::span<const Step> steps) {
    WaysOfSteps before(steps.size());
    for (StepId id = 0; id < steps.size(); ++id) {
        for (const StepId next : steps[id].next)
            before[next].push_back(id);
    }
    return before;
}

/// Whether each way from `start`, along `ways`, comes to a step that `is_goal` before it comes to
/// the function's start or end, or to one that is not `is_passed`.
template <class IsPassed, class IsGoal>
bool come_all_to(std::span<const Step> steps,
                 const WaysOfSteps& ways,
                 StepId start,
                 IsPassed is_passed,
                 IsGoal is_goal) {
    std::vector<bool> seen(steps.size(), false);
    std::vector<StepId> open = {start};
    while (!open.empty()) {
        const StepId at = open.back();
        open.pop_back();
        if (ways[at].empty()) return false;
        for (const StepId to : ways[at]) {
            if (seen[to] || is_goal(steps[to])) continue;
            if (!is_passed(steps[to])) return false;
            seen[to] = true;
            open.push_back(to);
        }
    }
    return true;
}

/// What throws does not come to the end, but goes on for ever.
WaysOfSteps ways_on(std::span<const Step> steps) {
    WaysOfSteps next;
    for (StepId id = 0; id < steps.size(); ++id) {
        const bool throws = steps[id].next.empty() && steps[id].kind != StepKind::Exit;
        next.push_back(throws ? std::vector<StepId>{id} : steps[id].next);
    }
    return next;
}

bool sets_turn(const Step& step) {
    return step.kind == StepKind::Release && step.turn == Turn::Written;
}

/// What is asked last on all ways to `start`, be it that it is written to behind that.
std::optional<Flag> flag_before(std::span<const Step> steps,
                                const WaysOfSteps& before,
                                StepId start) {
    std::optional<Flag> flag;
    const auto is_passed = [](const Step& step) { return is_quiet(step) || sets_turn(step); };
    const bool is_asked = come_all_to(steps, before, start, is_passed, [&flag](const Step& step) {
        const auto number = constant_of(step);
        if (!tests_turn(step) || !number || step.value.kind != Value::Kind::Global) return false;
        const Flag one{step.value.name, step.name, *number, step.turn == Turn::Is};
        if (!flag) flag = one;
        return *flag == one;
    });
    return is_asked ? flag : std::nullopt;
}

bool writes(const Step& step, const Flag& flag) {
    return step.kind == StepKind::Release && step.turn != Turn::No &&
           step.value.kind == Value::Kind::Global && step.value.name == flag.variable;
}

/// Whether all that writes to the variable what it is asked for comes right behind a join.
bool is_set_behind_joins(const Program& program, const Flag& flag) {
    for (FunctionId id = 0; id < program.unit().functions.size(); ++id) {
        const std::span<const Step> steps = program.steps(id);
        WaysOfSteps before;
        for (StepId step = 0; step < steps.size(); ++step) {
            if (!writes(steps[step], flag)) continue;
            const auto number = constant_of(steps[step]);
            if (steps[step].turn != Turn::Written || !number) return false;
            if (!flag.holds_for(*number)) continue;
            if (before.empty()) before = ways_back(steps);
            const bool is_behind =
                come_all_to(steps, before, step, is_quiet, [](const Step& other) {
                    return other.kind == StepKind::JoinThread;
                });
            if (!is_behind) return false;
        }
    }
    return true;
}

/// Whether no lock is taken or released from where the flag is asked to where it is changed.
template <class Changes>
bool is_under_one_hold(std::span<const Step> steps,
                       const WaysOfSteps& before,
                       StepId start,
                       const Flag& flag,
                       Changes changes) {
    const auto is_passed = [](const Step& step) { return leaves_locks(step) || sets_turn(step); };
    const auto asks = [&flag](const Step& step) {
        return tests_turn(step) && step.value.kind == Value::Kind::Global &&
               step.value.name == flag.variable;
    };
    return come_all_to(steps, before, start, is_passed, asks) &&
           (come_all_to(steps, before, start, leaves_locks, changes) ||
            come_all_to(steps, ways_on(steps), start, leaves_locks, changes));
}

/// Nothing: it is no such start.
std::optional<LoneStart> lone_start(const Program& program, FunctionId function, StepId start) {
    const std::span<const Step> steps = program.steps(function);
    const WaysOfSteps before = ways_back(steps);
    const auto flag = flag_before(steps, before, start);
    if (!flag || program.turns().unsure.contains(flag->variable)) return std::nullopt;
    // Another one at each call of another function.
    if (flag->owner != 0 && program.unit().strings[flag->owner] != "main") return std::nullopt;
    const auto changes = [&flag](const Step& step) {
        const auto number = constant_of(step);
        return writes(step, *flag) && number && !flag->holds_for(*number);
    };
    const bool is_changed = come_all_to(steps, ways_on(steps), start, is_quiet, changes) ||
                            come_all_to(steps, before, start, is_quiet, changes);
    if (!is_changed || !is_set_behind_joins(program, *flag)) return std::nullopt;
    return LoneStart{is_under_one_hold(steps, before, start, *flag, changes)};
}

}  // namespace

std::map<std::pair<FunctionId, StepId>, LoneStart> lone_starts(const Program& program) {
    std::map<std::pair<FunctionId, StepId>, LoneStart> lone;
    for (FunctionId id = 0; id < program.unit().functions.size(); ++id) {
        const std::span<const Step> steps = program.steps(id);
        for (StepId step = 0; step < steps.size(); ++step) {
            if (steps[step].kind != StepKind::StartThread) continue;
            if (const auto found = lone_start(program, id, step))
                lone.emplace(std::pair(id, step), *found);
        }
    }
    return lone;
}

}  // namespace mqinspect::thread_level
