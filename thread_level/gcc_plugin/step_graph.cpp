#include "thread_level/gcc_plugin/step_graph.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "thread_level/facts/library_functions.h"
#include "thread_level/facts/relations.h"
#include "thread_level/notes/step_graph.h"

namespace mqinspect::thread_level::plugin {
namespace {

bool is_inside(const Function& function, RegionId region, RegionId outer) {
    while (region != outer && region != 0)
        region = function.regions[region].parent;
    return region == outer;
}

/// Whether MPI is called where the level is too low for `guard`, and not only to end.
bool has_other_way(const Function& function, RegionId guard, const Strings& strings) {
    const Region& above = function.regions[guard];
    const auto is_in_other = [&](RegionId region) {
        for (; region != 0; region = function.regions[region].parent) {
            const Region& other = function.regions[region];
            if (other.condition == Condition::LevelBelow && other.number == above.number &&
                other.parent == above.parent && other.place == above.place)
                return true;
        }
        return false;
    };
    return std::any_of(function.steps.begin(), function.steps.end(), [&](const Step& step) {
        return step.kind == StepKind::Mpi && is_in_other(step.region) &&
               strings[step.name] != "MPI_Abort" && strings[step.name] != "MPI_Finalize";
    });
}

/// Whether the procedure begins or ends what a program does with MPI, or asks where it is.
bool is_frame(std::string_view name) {
    return name.starts_with("MPI_Init") || name == "MPI_Finalize" || name == "MPI_Abort" ||
           name == "MPI_Query_thread" || name == "MPI_Comm_rank" || name == "MPI_Comm_size" ||
           name == "MPI_Wtime" || name.ends_with("_free");
}

/// Whether all that the function does with MPI, but to begin and to end it, is in the guard.
bool has_all(const Function& function, RegionId guard, const Strings& strings) {
    return std::ranges::all_of(function.steps, [&](const Step& step) {
        if (step.kind == StepKind::Mpi && is_frame(strings[step.name])) return true;
        const bool is_idle = step.kind == StepKind::Join || step.kind == StepKind::Way ||
                             step.kind == StepKind::Keep || step.kind == StepKind::Exit;
        return is_idle || is_inside(function, step.region, guard);
    });
}

/// Whether the end of the function is that of what the program does with MPI.
bool is_around_all(const Function& function, const Strings& strings) {
    return is_main_program(strings[function.symbol]) ||
           std::any_of(function.steps.begin(), function.steps.end(), [&](const Step& step) {
               return step.kind == StepKind::Mpi && (strings[step.name].starts_with("MPI_Init") ||
                                                     strings[step.name] == "MPI_Finalize");
           });
}

/// Whether a thread that the function leaves to its caller is started in the guard: the program
/// goes on with that one, or without.
bool leaves_thread(const Function& function, RegionId guard, const Strings& strings) {
    bool starts = false;
    for (const Step& step : function.steps) {
        const bool is_end = step.kind == StepKind::Mpi && strings[step.name] == "MPI_Finalize";
        if (is_end || step.kind == StepKind::JoinThread) return false;
        starts = starts ||
                 (step.kind == StepKind::StartThread && is_inside(function, step.region, guard));
    }
    return starts && !is_main_program(strings[function.symbol]);
}

}  // namespace

std::vector<StepId> reduce(std::vector<Step>& steps) {
    notes::StepGraph graph(std::move(steps));
    graph.contract();
    std::vector<StepId> order = graph.order();
    if (!order.empty()) std::sort(order.begin() + 1, order.end());
    steps = graph.steps(order);
    for (Step& step : steps)
        std::sort(step.next.begin(), step.next.end());
    return order;
}

void drop_level_tests(Function& function, const Strings& strings) {
    if (!is_around_all(function, strings)) return;
    const std::vector<Step>& steps = function.steps;
    const auto ends = [&](StepId step) {
        return steps[step].kind == StepKind::Exit ||
               (steps[step].kind == StepKind::Join && steps[step].next.empty());
    };
    for (RegionId guard = 1; guard < function.regions.size(); ++guard) {
        if (function.regions[guard].kind != RegionKind::Guard ||
            function.regions[guard].condition != Condition::LevelAtLeast)
            continue;
        const bool goes_on = std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
            return is_inside(function, step.region, guard) &&
                   std::any_of(step.next.begin(), step.next.end(), [&](StepId next) {
                       return !is_inside(function, steps[next].region, guard) && !ends(next);
                   });
        });
        const bool is_rest = !goes_on || has_all(function, guard, strings);
        if (is_rest && !has_other_way(function, guard, strings) &&
            !leaves_thread(function, guard, strings))
            function.regions[guard].condition = Condition::None;
    }
}

bool drop_idle_ways_past(Function& function, const Strings& strings) {
    std::vector<Region>& regions = function.regions;
    const auto may_initialize = [&](RegionId guard) {
        const bool is_empty = finds_no_thread(regions[guard]);
        return std::ranges::any_of(function.steps, [&](const Step& step) {
            const bool may =
                is_kept_start(step) || (!is_empty && step.kind == StepKind::Call) ||
                (step.kind == StepKind::Mpi && strings[step.name].starts_with("MPI_Init") &&
                 strings[step.name] != "MPI_Initialized");
            return may && is_inside(function, step.region, guard);
        });
    };
    const auto asks = [](const Region& region) {
        return is_until_initialized(region) || region.condition == Condition::Initialized;
    };
    if (std::ranges::none_of(regions, asks)) return false;
    std::vector<RegionId> kept;
    bool changed = false;
    for (RegionId id = 1; id < regions.size(); ++id) {
        if (!is_until_initialized(regions[id])) continue;
        if (may_initialize(id)) {
            kept.push_back(id);
        } else if (!makes_static(regions[id])) {
            regions[id].condition = Condition::None;
        }
    }
    for (Step& step : function.steps) {
        const Region& region = regions[step.region];
        const bool is_of_past =
            region.condition == Condition::Initialized || region.condition == Condition::MadeBefore;
        const auto is_past_it = [&](RegionId guard) { return is_past(region, regions[guard]); };
        if (step.kind == StepKind::Way && is_of_past && std::ranges::none_of(kept, is_past_it)) {
            step.kind = StepKind::Join;
            changed = true;
        }
    }
    std::vector<bool> has_way(regions.size(), false);
    for (const Step& step : function.steps)
        if (step.kind == StepKind::Way) has_way[step.region] = true;
    for (RegionId id = 1; id < regions.size(); ++id) {
        if (regions[id].condition == Condition::Initialized && !has_way[id])
            regions[id].condition = Condition::None;
    }
    return changed;
}

void drop_idle_guards(Function& function) {
    std::vector<Region>& regions = function.regions;
    std::vector<bool> used(regions.size(), false);
    for (const Step& step : function.steps) {
        if (step.kind != StepKind::Join) used[step.region] = true;
    }
    for (RegionId region = static_cast<RegionId>(regions.size()); region-- > 1;) {
        const Region& r = regions[region];
        if (r.kind != RegionKind::Guard) used[region] = true;
        // A guard that says nothing is left out below; what is in it is in those around it still.
        if (used[region]) used[r.parent] = true;
    }
    std::vector<RegionId> numbers(regions.size(), 0);
    RegionId count = 1;
    for (RegionId region = 1; region < regions.size(); ++region) {
        Region& r = regions[region];
        if (r.kind == RegionKind::Guard && (!used[region] || r.condition == Condition::None)) {
            numbers[region] = numbers[r.parent];
            continue;
        }
        numbers[region] = count;
        r.parent = numbers[r.parent];
        if (count != region) regions[count] = std::move(r);
        ++count;
    }
    regions.resize(count);
    for (Step& step : function.steps) {
        step.region = numbers[step.region];
        if (step.target != kNone) step.target = numbers[step.target];
    }
}

}  // namespace mqinspect::thread_level::plugin
