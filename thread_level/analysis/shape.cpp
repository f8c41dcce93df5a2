#include "thread_level/analysis/shape.h"

#include <algorithm>

#include "thread_level/analysis/common_arguments.h"
#include "thread_level/analysis/loops.h"
#include "thread_level/analysis/started_numbers.h"
#include "thread_level/analysis/states.h"
#include "thread_level/facts/relations.h"
#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {
namespace {

/// Who executes a task says nothing of who makes it.
void narrow_executor(Path& path, Executor inner) {
    if (!path.may_change) path.known = narrow_number(path.known, inner);
    if (path.known.who == Who::Nobody) inner = path.known;
    if (path.task == kNone || inner.who == Who::One || inner.who == Who::Nobody)
        path.executor = narrow(path.executor, inner);
}

bool is_equality(Condition condition) {
    return condition == Condition::ArgumentIs || condition == Condition::ArgumentIsNot;
}

}  // namespace

Shape::Shape(const Program& program, FunctionId function, Exclusions& exclusions)
    : function_(function), regions_(program.regions(function)), steps_(program.steps(function)) {
    enters_.assign(regions_.size(), kNone);
    leaves_.assign(regions_.size(), kNone);
    for (StepId i = 0; i < steps_.size(); ++i) {
        const Step& step = steps_[i];
        if (step.kind == StepKind::Enter && enters_[step.target] == kNone) enters_[step.target] = i;
        if (step.kind == StepKind::Leave && leaves_[step.target] == kNone) leaves_[step.target] = i;
    }
    find_scopes();
    find_paths(program, exclusions);
    find_next();
    std::vector<bool> seen(steps_.size(), false);
    for (Scope& scope : scopes_)
        order(scope, seen);
}

std::uint32_t Shape::scope_at(RegionId region) const {
    const std::uint32_t scope = scope_of_[region];
    return scopes_[scope].region == region ? scope : kNone;
}

std::span<const StepId> Shape::next(StepId step) const {
    return std::span(next_).subspan(first_next_[step], first_next_[step + 1] - first_next_[step]);
}

bool Shape::is_inside(RegionId region, RegionId outer) const {
    return thread_level::is_inside(regions_, region, outer);
}

AsyncSet Shape::add_bit(std::uint32_t scope) {
    constexpr std::uint32_t bits = 64;
    if (bits_used_[scope] == bits) return 0;
    return AsyncSet{1} << bits_used_[scope]++;
}

void Shape::find_scopes() {
    scope_of_.assign(regions_.size(), 0);
    scopes_.emplace_back();
    for (RegionId i = 1; i < regions_.size(); ++i) {
        if (has_own_team(regions_[i])) {
            scope_of_[i] = static_cast<std::uint32_t>(scopes_.size());
            scopes_.emplace_back().region = i;
        } else {
            scope_of_[i] = scope_of_[regions_[i].parent];
        }
    }
    bits_used_.assign(scopes_.size(), 0);
}

void Shape::find_paths(const Program& program, Exclusions& exclusions) {
    paths_.resize(regions_.size());
    task_bits_.assign(regions_.size(), 0);
    for (RegionId i = 1; i < regions_.size(); ++i) {
        if (has_own_team(regions_[i])) {
            paths_[i].assured = paths_[regions_[i].parent].assured;
            paths_[i].in_team = level_from(program.assured_in_team(regions_[i]));
            paths_[i].below = paths_[regions_[i].parent].below;
            continue;
        }
        if (is_deferred_task(regions_[i])) task_bits_[i] = add_bit(scope_of_[i]);
        paths_[i] = paths_[regions_[i].parent];
        const ResolvedCondition condition = program.condition(regions_[i]);
        extend(paths_[i], i, condition, exclusions);
        if (const auto argument = argument_of(program, i, condition)) {
            const ExclusionSet one = exclusions.intern({exclusions.intern(*argument)});
            paths_[i].arguments = exclusions.unite(paths_[i].arguments, one);
        }
    }
}

void Shape::extend(Path& path,
                   RegionId id,
                   const ResolvedCondition& condition,
                   Exclusions& exclusions) {
    const Region& region = regions_[id];
    narrow_executor(path, executor_of(region, id, condition.condition, condition.number));
    path.has_unknown_guard = path.has_unknown_guard || condition.is_unknown;
    path.is_of_first = path.is_of_first || condition.condition == Condition::OuterIsZero;
    if (is_worksharing(region.kind) && path.worksharing == kNone) path.worksharing = id;
    if (condition.condition == Condition::LevelAtLeast)
        path.assured = std::max(path.assured, level_from(condition.number));
    if (condition.condition == Condition::LevelBelow)
        path.below = static_cast<int>(std::min<std::int64_t>(path.below, condition.number));
    if (region.kind == RegionKind::Critical) {
        if (path.holder == kNone) path.holder = id;
        const ExclusionId critical =
            exclusions.intern({.kind = Exclusion::Kind::Critical, .name = region.name});
        path.exclusions = exclusions.unite(path.exclusions, exclusions.intern({critical}));
    }
    if (region.kind == RegionKind::Ordered) {
        RegionId loop = region.parent;
        while (loop != 0 && regions_[loop].kind != RegionKind::Loop)
            loop = regions_[loop].parent;
        const ExclusionId ordered = exclusions.intern(
            {.kind = Exclusion::Kind::Ordered, .function = function_, .number = loop});
        path.exclusions = exclusions.unite(path.exclusions, exclusions.intern({ordered}));
    }
    if (condition.condition == Condition::DrewNumber) {
        const bool is_first = region.number == kChangingNumber;
        if (path.holder == kNone) path.holder = id;
        if (!is_first || !is_repeated(id)) {
            const ExclusionId drawn = exclusions.intern(
                {.kind = is_first ? Exclusion::Kind::FirstDrawn : Exclusion::Kind::Drawn,
                 .function = function_,
                 .number = id});
            path.exclusions = exclusions.unite(path.exclusions, exclusions.intern({drawn}));
        }
    }
    if (scope_of_[id] == 0 && asks_for_number(region)) path.asked = asked_by(region);
    if (scope_of_[id] == 0 && condition.own != 0 && path.task == kNone)
        path.asked = {.number = condition.number, .own = condition.own};
    if (!is_deferred_task(region)) return;
    path.tasks |= task_bits_[id];
    path.task = id;
    path.known = {};
    path.may_change = may_change_thread(region);
    path.is_many = path.is_many || region.kind == RegionKind::Taskloop;
    path.exclusions = 0;  // of what made the task, not of the thread that runs it
    path.holder = kNone;
}

/// What the guard of a region says of what all threads have in common that come there: those of a
/// parallel region of the function, or all.
std::optional<Exclusion> Shape::argument_of(const Program& program,
                                            RegionId id,
                                            const ResolvedCondition& condition) const {
    using Kind = Exclusion::Kind;
    const Region& guard = regions_[id];
    const bool is_common = compares_common(guard) || !is_equality(guard.condition);
    const Condition asked = is_common ? condition.condition : guard.condition;
    if (!is_equality(asked)) return std::nullopt;
    const std::int64_t number = is_common ? condition.number : guard.number;
    Exclusion argument{.function = function_,
                       .number = static_cast<std::uint32_t>(number),
                       .field = asked == Condition::ArgumentIs ? 0U : 1U};
    if (is_common) {
        const bool is_told = !compares_common(guard) || guard.tested.is_shared;
        argument.kind = is_told ? Kind::Told : Kind::Common;
        argument.name = guard.wrapper != 0 ? guard.wrapper : guard.tested.name;
        if (is_told) argument.function = kNone;
        return argument;
    }
    if (!compares_argument(guard)) return std::nullopt;
    argument.kind = Kind::Argument;
    argument.name = static_cast<StringId>(guard.tested.number);
    if (scope_of_[id] != 0) return argument;
    if (!is_whole_parameter(guard.tested)) return std::nullopt;
    const auto common = common_argument(program, function_, guard.tested.number);
    if (!common) return std::nullopt;
    if (common->value.kind == Value::Kind::Constant) return argument;
    argument.kind = Kind::Told;
    argument.name = common->value.name;
    argument.function = common->function;
    return argument;
}

/// Whether one thread may come to a step of the region again in the function.
bool Shape::is_repeated(RegionId region) const {
    for (StepId start = 0; start < steps_.size(); ++start) {
        if (is_inside(steps_[start].region, region) && is_in_loop(steps_, start)) return true;
    }
    return false;
}

void Shape::find_next() {
    first_next_.assign(steps_.size() + 1, 0);
    std::vector<std::vector<StepId>> leaves(regions_.size());
    for (StepId i = 0; i < steps_.size(); ++i) {
        if (steps_[i].kind == StepKind::Leave) leaves[steps_[i].target].push_back(i);
    }
    for (StepId i = 0; i < steps_.size(); ++i) {
        const Step& step = steps_[i];
        const bool enters = step.kind == StepKind::Enter;
        for (const StepId next : step.next) {
            if (enters && has_own_team(regions_[step.target])) continue;
            if (scope_of_[steps_[next].region] == scope_of_[step.region]) next_.push_back(next);
        }
        if (enters &&
            (has_own_team(regions_[step.target]) || is_deferred_task(regions_[step.target]))) {
            next_.insert(next_.end(), leaves[step.target].begin(), leaves[step.target].end());
        }
        first_next_[i + 1] = static_cast<std::uint32_t>(next_.size());
    }
    if (!steps_.empty()) scopes_.front().starts.push_back(0);
    for (std::uint32_t i = 1; i < scopes_.size(); ++i) {
        const StepId enter = enters_[scopes_[i].region];
        if (enter == kNone) continue;
        for (const StepId next : steps_[enter].next) {
            if (scope_of_[steps_[next].region] == i) scopes_[i].starts.push_back(next);
        }
    }
}

void Shape::order(Scope& scope, std::vector<bool>& seen) const {
    std::vector<std::pair<StepId, std::uint32_t>> stack;
    for (const StepId start : scope.starts) {
        if (seen[start]) continue;
        seen[start] = true;
        stack.emplace_back(start, 0);
        while (!stack.empty()) {
            auto& [step, at] = stack.back();
            const std::span<const StepId> all = next(step);
            if (at == all.size()) {
                scope.steps.push_back(step);
                stack.pop_back();
                continue;
            }
            const StepId follower = all[at++];
            if (seen[follower]) continue;
            seen[follower] = true;
            stack.emplace_back(follower, 0);
        }
    }
    std::reverse(scope.steps.begin(), scope.steps.end());
}

}  // namespace mqinspect::thread_level
