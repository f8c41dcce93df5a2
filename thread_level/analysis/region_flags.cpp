#include "thread_level/analysis/region_flags.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "thread_level/analysis/program.h"
#include "thread_level/analysis/states.h"
#include "thread_level/analysis/turn_values.h"

namespace mqinspect::thread_level {
namespace {

/// What a team finds variables to be, whoever of it looks and when.
struct FlaggedTeam {
    std::vector<bool> executes;  ///< by node: what the region calls
    std::vector<std::pair<StringId, std::int64_t>> flags;
};

/// Puts a guard around what one step has let through.
class Guarding {
public:
    Guarding(Function& function, StepId test)
        : function_(function), outer_(function.steps[test].region), is_behind_(behind(test)) {}

    void run();

private:
    static constexpr std::size_t kOutside = 0;
    static constexpr std::size_t kInside = 1;

    std::vector<bool> behind(StepId test) const;
    bool is_below(RegionId region) const;
    bool find_sides();
    void divide();

    Function& function_;
    RegionId outer_;
    std::vector<bool> is_behind_;  // by step
    /// By region of old, whether some step of it is there, and its new number.
    std::vector<std::array<bool, 2>> sides_;
    std::vector<std::array<RegionId, 2>> numbers_;
};

/// The steps that can't be come to without the test, in the region that it is in.
std::vector<bool> Guarding::behind(StepId test) const {
    std::vector<bool> others(function_.steps.size(), false);
    std::vector<bool> all(function_.steps.size(), false);
    const auto mark = [this](std::vector<bool>& seen, StepId start) {
        std::vector<StepId> open;
        if (!seen[start]) open.push_back(start);
        seen[start] = true;
        while (!open.empty()) {
            const StepId at = open.back();
            open.pop_back();
            for (const StepId next : function_.steps[at].next) {
                if (!seen[next]) open.push_back(next);
                seen[next] = true;
            }
        }
    };
    others[test] = true;
    mark(others, 0);
    mark(all, test);
    for (StepId step = 0; step < all.size(); ++step) {
        const bool is_other = step != test && others[step];
        all[step] = all[step] && !is_other && is_below(function_.steps[step].region);
    }
    return all;
}

bool Guarding::is_below(RegionId region) const {
    return is_inside(function_.regions, region, outer_);
}

/// Of other regions than guards all is on one side, or nothing is done.
bool Guarding::find_sides() {
    sides_.assign(function_.regions.size(), {false, false});
    for (StepId id = 0; id < function_.steps.size(); ++id) {
        const Step& step = function_.steps[id];
        const std::size_t side = is_behind_[id] ? kInside : kOutside;
        sides_[step.region][side] = true;
        if (step.target != kNone) sides_[step.target][side] = true;
    }
    for (RegionId id = static_cast<RegionId>(sides_.size() - 1); id != 0; --id) {
        const bool is_divided = sides_[id][kOutside] && sides_[id][kInside];
        const bool is_guard = function_.regions[id].kind == RegionKind::Guard || id == outer_;
        if (is_divided && !is_guard && is_below(id)) return false;
        if (!sides_[id][kInside]) sides_[id][kOutside] = true;
        for (const std::size_t side : {kOutside, kInside}) {
            if (sides_[id][side]) sides_[function_.regions[id].parent][side] = true;
        }
    }
    return true;
}

void Guarding::divide() {
    std::vector<Region> regions;
    numbers_.assign(function_.regions.size(), {kNone, kNone});
    for (RegionId id = 0; id < function_.regions.size(); ++id) {
        const auto add = [&](std::size_t side) {
            Region region = function_.regions[id];
            if (id != 0) region.parent = numbers_[region.parent][side];
            numbers_[id][side] = static_cast<RegionId>(regions.size());
            regions.push_back(std::move(region));
        };
        if (sides_[id][kOutside] || !is_below(id) || id == outer_) add(kOutside);
        if (id == outer_) {
            Region guard;
            guard.kind = RegionKind::Guard;
            guard.condition = Condition::NotInParallel;
            guard.parent = numbers_[id][kOutside];
            guard.place = function_.regions[id].place;
            numbers_[id][kInside] = static_cast<RegionId>(regions.size());
            regions.push_back(std::move(guard));
        } else if (sides_[id][kInside] && is_below(id)) {
            add(kInside);
        }
    }
    function_.regions = std::move(regions);
}

void Guarding::run() {
    if (!find_sides()) return;
    divide();
    for (StepId id = 0; id < function_.steps.size(); ++id) {
        Step& step = function_.steps[id];
        const std::size_t side = is_behind_[id] ? kInside : kOutside;
        step.region = numbers_[step.region][side];
        if (step.target != kNone) step.target = numbers_[step.target][side];
    }
}

class FlagFinder {
public:
    explicit FlagFinder(const Program& program) : program_(program), writes_(program) {}

    std::optional<Unit> run();

private:
    void find_tests();
    void add_teams(FunctionId id);
    FlaggedTeam team_of(FunctionId id, RegionId team) const;
    bool rules_out_teams(FunctionId id, const Step& step) const;

    const Program& program_;
    std::vector<std::pair<FunctionId, StepId>> tests_;  ///< that no team around makes
    TurnWrites writes_;
    std::vector<FlaggedTeam> teams_;
};

/// Those of regions inside are of the team, too.
FlaggedTeam FlagFinder::team_of(FunctionId id, RegionId team) const {
    FlaggedTeam result;
    result.executes.assign(program_.nodes(), false);
    std::vector<StringId> written;
    const std::span<const Step> steps = program_.steps(id);
    for (StepId step = 0; step < steps.size(); ++step) {
        if (!is_inside(program_.regions(id), steps[step].region, team)) continue;
        if (writes_turn(steps[step])) written.push_back(steps[step].value.name);
        for (const CallEdge& edge : program_.calls_of(id, step)) {
            if (edge.kind != CallKind::Start) program_.add_executed(edge.to, result.executes);
            for (const auto& [variable, all] : writes_.all()) {
                if (writes_.may_write(edge.to, variable)) written.push_back(variable);
            }
        }
    }
    const auto known = program_.turns().of_team.find({id, team});
    if (known == program_.turns().of_team.end()) return result;
    for (const auto& [variable, value] : known->second) {
        if (std::find(written.begin(), written.end(), variable) == written.end())
            result.flags.emplace_back(variable, static_cast<std::int32_t>(value));
    }
    return result;
}

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
    for (RegionId region = 1; region < regions.size(); ++region) {
        if (makes_team(regions[region]) && !is_in_team(program_, id, regions[region].parent))
            teams_.push_back(team_of(id, region));
    }
}

/// Whether the test lets nobody through of a team, and there are teams that come to it.
bool FlagFinder::rules_out_teams(FunctionId id, const Step& test) const {
    const std::int64_t number = test.arguments.front().number;
    bool is_called = false;
    for (const FlaggedTeam& team : teams_) {
        if (!team.executes[id]) continue;
        is_called = true;
        const bool is_out = std::ranges::any_of(team.flags, [&](const auto& flag) {
            return flag.first == test.value.name &&
                   (flag.second == number) == (test.turn == Turn::IsNot);
        });
        if (!is_out) return false;
    }
    return is_called;
}

std::optional<Unit> FlagFinder::run() {
    if (program_.turns().of_team.empty()) return std::nullopt;
    find_tests();
    if (tests_.empty()) return std::nullopt;
    for (FunctionId id = 0; id < program_.unit().functions.size(); ++id)
        add_teams(id);
    std::optional<Unit> unit;
    for (const auto& [id, step] : tests_) {
        if (!rules_out_teams(id, program_.steps(id)[step])) continue;
        if (!unit) unit = program_.unit();
        Guarding(unit->functions[id], step).run();
    }
    return unit;
}

}  // namespace

std::optional<Unit> with_region_flags(const Program& program) {
    return FlagFinder(program).run();
}

}  // namespace mqinspect::thread_level
