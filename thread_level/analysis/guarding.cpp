#include "thread_level/analysis/guarding.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "thread_level/analysis/states.h"
#include "thread_level/facts/relations.h"

namespace mqinspect::thread_level {
namespace {

/// Puts a guard around what one step has let through.
class Guarding {
public:
    Guarding(Function& function, StepId test, const Region& guard)
        : function_(function),
          guard_(guard),
          outer_(function.steps[test].region),
          is_behind_(behind(test)) {}

    void run();

private:
    static constexpr std::size_t kOutside = 0;
    static constexpr std::size_t kInside = 1;

    std::vector<bool> behind(StepId test) const;
    bool is_below(RegionId region) const;
    bool find_sides();
    void divide();

    Function& function_;
    const Region& guard_;
    RegionId outer_;
    std::vector<bool> is_behind_;  // by step
    /// By region of old, whether some step of it is there, and its new number.
    std::vector<std::array<bool, 2>> sides_;
    std::vector<std::array<RegionId, 2>> numbers_;
};

/// In the region that the test is in.
std::vector<bool> Guarding::behind(StepId test) const {
    std::vector<bool> all = only_behind(function_.steps, test);
    for (StepId step = 0; step < all.size(); ++step)
        all[step] = all[step] && is_below(function_.steps[step].region);
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
            Region guard = guard_;
            guard.kind = RegionKind::Guard;
            guard.parent = numbers_[id][kOutside];
            if (guard.place == Place{}) guard.place = function_.regions[id].place;
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

}  // namespace

std::vector<bool> reached_from(std::span<const Step> steps,
                               StepId start,
                               const std::vector<bool>& ends) {
    std::vector<bool> seen(steps.size(), false);
    std::vector<StepId> open = {start};
    seen[start] = true;
    while (!open.empty()) {
        const StepId at = open.back();
        open.pop_back();
        if (ends[at]) continue;
        for (const StepId next : steps[at].next) {
            if (!seen[next]) open.push_back(next);
            seen[next] = true;
        }
    }
    return seen;
}

std::vector<bool> only_behind(std::span<const Step> steps, StepId test) {
    std::vector<bool> nowhere(steps.size(), false);
    std::vector<bool> all = reached_from(steps, test, nowhere);
    nowhere[test] = true;
    const std::vector<bool> others = reached_from(steps, 0, nowhere);
    for (StepId step = 0; step < all.size(); ++step)
        all[step] = all[step] && (step == test || !others[step]);
    return all;
}

void put_guard(Function& function, StepId test, const Region& guard) {
    Guarding(function, test, guard).run();
}

std::vector<ZeroTest> zero_tests(std::span<const Step> steps) {
    std::vector<ZeroTest> tests;
    const auto number_of = [](const Step& step) {
        const bool is_known =
            !step.arguments.empty() && step.arguments.front().kind == Value::Kind::Constant;
        return is_known ? step.arguments.front().number : std::int64_t{-1};
    };
    for (const Step& branch : steps) {
        for (const StepId is : branch.next) {
            if (steps[is].kind != StepKind::Acquire || steps[is].turn != Turn::Is) continue;
            const std::int64_t number = number_of(steps[is]);
            if (number != 0 && number != 1) continue;
            const auto other = std::ranges::find_if(branch.next, [&](StepId id) {
                return steps[id].kind == StepKind::Acquire && steps[id].turn == Turn::IsNot &&
                       steps[id].value == steps[is].value && number_of(steps[id]) == number;
            });
            if (other == branch.next.end()) continue;
            tests.push_back({.is_zero = number == 0 ? is : *other,
                             .is_not = number == 0 ? *other : is,
                             .variable = steps[is].value.name});
        }
    }
    return tests;
}

bool has_flag(const Region& region) {
    const bool may_have = makes_static(region) || region.condition == Condition::NotInitialized ||
                          region.condition == Condition::Initialized;
    return may_have && region.tested.kind == Value::Kind::Global;
}

}  // namespace mqinspect::thread_level
