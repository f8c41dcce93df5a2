#include "thread_level/analysis/region_flags.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "thread_level/analysis/guarding.h"
#include "thread_level/analysis/program.h"
#include "thread_level/analysis/states.h"
#include "thread_level/analysis/turn_values.h"

namespace mqinspect::thread_level {
namespace {

/// A region with a team of its own, of those that are in no other team.
struct FlaggedTeam {
    FunctionId function = 0;
    RegionId region = 0;
    StepId enter = 0;
    std::vector<bool> executes;  ///< by node: what the region calls
};

class FlagFinder {
public:
    explicit FlagFinder(const Program& program) : program_(program), writes_(program) {}

    std::optional<Unit> run();

private:
    void find_tests();
    void add_teams(FunctionId id);
    bool may_write(const FlaggedTeam& team, StringId variable) const;
    bool is_never(const FlaggedTeam& team, const Step& test) const;
    bool rules_out_teams(FunctionId id, const Step& test) const;

    const Program& program_;
    std::vector<std::pair<FunctionId, StepId>> tests_;  ///< that no team around makes
    TurnWrites writes_;
    std::vector<FlaggedTeam> teams_;
};

void FlagFinder::find_tests() {
    for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
        const std::span<const Step> steps = program_.steps(id);
        for (StepId step = 0; step < steps.size(); ++step) {
            if (tests_turn(steps[step]) && !steps[step].arguments.empty() &&
                steps[step].arguments.front().kind == Value::Kind::Constant &&
                !is_in_team(program_, id, steps[step].region))
                tests_.emplace_back(id, step);
        }
    }
}

void FlagFinder::add_teams(FunctionId id) {
    const std::span<const Region> regions = program_.regions(id);
    const std::span<const Step> steps = program_.steps(id);
    for (StepId enter = 0; enter < steps.size(); ++enter) {
        const RegionId region = steps[enter].target;
        if (steps[enter].kind != StepKind::Enter || !makes_team(regions[region]) ||
            is_in_team(program_, id, steps[enter].region))
            continue;
        FlaggedTeam& team = teams_.emplace_back();
        team.function = id;
        team.region = region;
        team.enter = enter;
        team.executes.assign(program_.nodes(), false);
        for (const CallEdge& edge : program_.calls(id)) {
            if (edge.kind != CallKind::Start && is_inside(regions, steps[edge.step].region, region))
                program_.add_executed(edge.to, team.executes);
        }
    }
}

/// Regions inside are of the team, too.
bool FlagFinder::may_write(const FlaggedTeam& team, StringId variable) const {
    const std::span<const Region> regions = program_.regions(team.function);
    const std::span<const Step> steps = program_.steps(team.function);
    const auto is_of_team = [&](StepId step) {
        return is_inside(regions, steps[step].region, team.region);
    };
    for (StepId step = 0; step < steps.size(); ++step) {
        if (writes_turn(steps[step]) && steps[step].value.name == variable && is_of_team(step))
            return true;
    }
    return std::ranges::any_of(program_.calls(team.function), [&](const CallEdge& edge) {
        return is_of_team(edge.step) && writes_.may_write(edge.to, variable);
    });
}

/// Whether a region with several threads says by its `if` clause that the test fails.
bool is_excluded_by(const Region& team, const Step& test) {
    const bool is_equal = team.condition == Condition::ArgumentIs;
    if ((!is_equal && team.condition != Condition::ArgumentIsNot) ||
        team.tested.name != test.value.name)
        return false;
    const bool is_number = team.limit.number == test.arguments.front().number;
    return test.turn == Turn::Is ? is_number != is_equal : is_number && is_equal;
}

/// Whether nobody of the team passes the test, by what the variable is when the team begins, or has
/// just been found to be.
bool FlagFinder::is_never(const FlaggedTeam& team, const Step& test) const {
    const StringId variable = test.value.name;
    const std::int64_t number = test.arguments.front().number;
    const Turns& turns = program_.turns();
    const std::pair<FunctionId, RegionId> key{team.function, team.region};
    if (may_write(team, variable)) return false;
    const auto known = turns.of_team.find(key);
    if (known != turns.of_team.end()) {
        for (const auto& [name, value] : known->second) {
            const bool is_number = static_cast<std::int32_t>(value) == number;
            if (name == variable) return is_number == (test.turn == Turn::IsNot);
        }
    }
    if (!is_number(turns, variable) || !is_written_by_team(program_, writes_, turns, key, variable))
        return false;
    return is_excluded_by(program_.regions(team.function)[team.region], test) ||
           comes_in_turn(program_,
                         writes_,
                         {team.function, team.enter},
                         variable,
                         number,
                         test.turn == Turn::IsNot);
}

/// Whether the test lets nobody through of a team, and there are teams that come to it.
bool FlagFinder::rules_out_teams(FunctionId id, const Step& test) const {
    bool is_called = false;
    for (const FlaggedTeam& team : teams_) {
        if (!team.executes[id]) continue;
        is_called = true;
        if (!is_never(team, test)) return false;
    }
    return is_called;
}

std::optional<Unit> FlagFinder::run() {
    find_tests();
    if (tests_.empty()) return std::nullopt;
    for (FunctionId id = 0; id < program_.unit().functions.size(); ++id)
        add_teams(id);
    std::optional<Unit> unit;
    for (const auto& [id, step] : tests_) {
        if (!rules_out_teams(id, program_.steps(id)[step])) continue;
        if (!unit) unit = program_.unit();
        Region guard;
        guard.condition = Condition::NotInParallel;
        put_guard(unit->functions[id], step, guard);
    }
    return unit;
}

}  // namespace

std::optional<Unit> with_region_flags(const Program& program) {
    return FlagFinder(program).run();
}

}  // namespace mqinspect::thread_level
