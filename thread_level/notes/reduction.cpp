#include "thread_level/notes/reduction.h"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "thread_level/facts/relations.h"
#include "thread_level/facts/values.h"
#include "thread_level/notes/relevance.h"
#include "thread_level/notes/step_graph.h"

namespace mqinspect::thread_level::notes {
namespace {

/// Steps that happen in a region, other than its own structure.
bool is_event(const Step& step) {
    return step.kind != StepKind::Join && step.kind != StepKind::Enter &&
           step.kind != StepKind::Leave && step.kind != StepKind::Exit;
}

/// All threads of the team have to come there, or it is for one of them.
bool is_for_the_team(RegionKind kind) {
    return kind == RegionKind::Loop || kind == RegionKind::Sections || kind == RegionKind::Single ||
           kind == RegionKind::Master || kind == RegionKind::Masked || kind == RegionKind::Scope;
}

/// Closely nested in what not all threads execute: that is wrong even if nothing happens in it.
bool is_badly_nested(const Function& function, RegionId id) {
    if (!is_for_the_team(function.regions[id].kind)) return false;
    for (RegionId up = function.regions[id].parent; up != 0; up = function.regions[up].parent) {
        const RegionKind around = function.regions[up].kind;
        if (around == RegionKind::Parallel || around == RegionKind::Teams) return false;
        if (around != RegionKind::Guard && around != RegionKind::Taskgroup) return true;
    }
    return false;
}

class FunctionReduction {
public:
    FunctionReduction(Function function, const Relevance& relevance)
        : function_(std::move(function)), relevance_(relevance) {}

    Function run() && {
        drop_idle_calls();
        drop_idle_regions();
        const bool may_merge = is_plain_ && returns() && !relevance_.orders(function_);
        StepGraph graph(std::move(function_.steps));
        graph.contract();
        if (may_merge) {
            graph.merge_alike();
            graph.contract();
            if (function_.regions.size() == 1 && !has_mpi_) graph.gather_around_hub();
        }
        function_.steps = graph.steps();
        return std::move(function_);
    }

private:
    void drop_idle_calls();
    void drop_idle_regions();
    bool returns() const;
    std::vector<bool> regions_with_events() const;
    std::vector<RegionId> renumber(const std::vector<bool>& has_events);

    Function function_;
    const Relevance& relevance_;
    bool is_plain_ = true;  // the order of its calls means nothing
    bool has_mpi_ = false;
};

void FunctionReduction::drop_idle_calls() {
    for (Step& step : function_.steps) {
        if (step.kind == StepKind::Call && !relevance_.matters(step)) {
            Step join;
            join.region = step.region;
            join.next = std::move(step.next);
            step = std::move(join);
        }
        for (Value& argument : step.arguments) {
            if (argument.kind == Value::Kind::Function && argument.name != 0 &&
                !relevance_.symbol_matters(argument.name))
                mark_idle_function(argument);
        }
        while (!step.arguments.empty() && step.arguments.back() == Value{})
            step.arguments.pop_back();
        has_mpi_ = has_mpi_ || step.kind == StepKind::Mpi;
        if (relevance_.orders(step)) is_plain_ = false;
        if (is_event(step) && step.kind != StepKind::Mpi && step.kind != StepKind::Call &&
            step.kind != StepKind::Indirect) {
            is_plain_ = false;
        }
    }
}

/// Of a function that does not, it counts whether it has loops, too.
bool FunctionReduction::returns() const {
    return std::any_of(function_.steps.begin(), function_.steps.end(), [](const Step& step) {
        return step.kind == StepKind::Exit;
    });
}

std::vector<bool> FunctionReduction::regions_with_events() const {
    std::vector<bool> has_events(function_.regions.size(), false);
    for (const Step& step : function_.steps)
        if (is_event(step)) has_events[step.region] = true;
    for (RegionId id = 0; id < has_events.size(); ++id)
        if (is_badly_nested(function_, id)) has_events[id] = true;
    for (auto id = static_cast<RegionId>(has_events.size() - 1); id > 0; --id)
        if (has_events[id]) has_events[function_.regions[id].parent] = true;
    return has_events;
}

/// Takes regions out. Says for each which one it is now, or which one around it.
std::vector<RegionId> FunctionReduction::renumber(const std::vector<bool>& has_events) {
    std::vector<RegionId> numbers(has_events.size(), 0);
    std::vector<bool> is_in_idle_team(has_events.size(), false);
    std::vector<Region> kept;
    for (RegionId id = 0; id < has_events.size(); ++id) {
        Region& region = function_.regions[id];
        const bool is_team =
            region.kind == RegionKind::Parallel || region.kind == RegionKind::Teams;
        const bool is_inside = id != 0 && is_in_idle_team[region.parent];
        is_in_idle_team[id] = is_inside || (is_team && !has_events[id]);
        if (id != 0 && (is_inside || (!has_events[id] && !speaks_by_itself(region)))) {
            numbers[id] = numbers[region.parent];
            continue;
        }
        numbers[id] = static_cast<RegionId>(kept.size());
        if (id != 0) region.parent = numbers[region.parent];
        if (region.kind != RegionKind::Function && region.kind != RegionKind::Guard)
            is_plain_ = false;
        kept.push_back(std::move(region));
    }
    function_.regions = std::move(kept);
    return numbers;
}

void FunctionReduction::drop_idle_regions() {
    std::vector<bool> is_kept(function_.regions.size(), false);
    const std::vector<RegionId> numbers = renumber(regions_with_events());
    // What is gone has the number of one in front of it.
    std::vector<bool> seen(numbers.size(), false);
    for (RegionId id = 0; id < numbers.size(); ++id) {
        is_kept[id] = !seen[numbers[id]];
        seen[numbers[id]] = true;
    }
    for (Step& step : function_.steps) {
        step.region = numbers[step.region];
        if (step.target == kNone) continue;
        if (is_kept[step.target]) {
            step.target = numbers[step.target];
        } else {
            step.kind = StepKind::Join;
            step.target = kNone;
            step.place = {};
        }
    }
}

}  // namespace

Unit reduce(Unit unit) {
    const Relevance relevance(unit);
    Unit reduced;
    reduced.source = unit.source;
    reduced.openmp = unit.openmp;
    reduced.idle = std::move(unit.idle);
    reduced.taken = std::move(unit.taken);
    reduced.numbers = std::move(unit.numbers);
    reduced.other_numbers = std::move(unit.other_numbers);
    reduced.writers = std::move(unit.writers);
    reduced.tables = std::move(unit.tables);
    reduced.casts = std::move(unit.casts);
    reduced.pointed = std::move(unit.pointed);
    for (PointedFunction& each : reduced.pointed) {
        const bool is_known = each.function != 0 && each.function != each.pointer;
        if (is_known && !relevance.symbol_matters(each.function)) each.function = each.pointer;
    }
    std::sort(reduced.pointed.begin(), reduced.pointed.end());
    reduced.pointed.erase(std::unique(reduced.pointed.begin(), reduced.pointed.end()),
                          reduced.pointed.end());
    for (VirtualTable& table : reduced.tables) {
        for (StringId& slot : table.slots) {
            if (slot != 0 && !relevance.symbol_matters(slot)) slot = 0;
        }
    }
    for (FunctionId id = 0; id < unit.functions.size(); ++id) {
        Function& function = unit.functions[id];
        if (!relevance.matters(id) || function.regions.empty()) {
            // What C++ instantiates explicitly has a type, too: other units may call it.
            const bool is_for_others =
                !function.is_mergeable || (function.type != 0 && !function.address_taken);
            if (!function.is_local && is_for_others)
                reduced.idle.push_back(idle_hash(unit.strings[function.symbol]));
            continue;
        }
        reduced.functions.push_back(FunctionReduction(std::move(function), relevance).run());
    }
    std::sort(reduced.idle.begin(), reduced.idle.end());
    const std::unordered_set<StringId> names = named_variables(reduced.functions, unit.strings);
    for (const Variable& variable : unit.variables) {
        if (!variable.is_local || names.contains(variable.name))
            reduced.variables.push_back(variable);
    }
    reduced.strings = std::move(unit.strings);  // what is relevant is asked by names until here
    return reduced;
}

}  // namespace mqinspect::thread_level::notes
