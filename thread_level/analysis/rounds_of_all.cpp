#include "thread_level/analysis/rounds_of_all.h"

#include <algorithm>
#include <span>

#include "thread_level/analysis/states.h"

namespace mqinspect::thread_level {
namespace {

bool is_changing(const Region& region) {
    return region.kind == RegionKind::Guard && region.condition == Condition::ThreadIsOther &&
           region.number == kChangingNumber;
}

/// Whether the step is in `outer`, or in none if that is 0, with the team that comes there.
bool is_of_team_in(std::span<const Region> regions, const Step& step, RegionId outer) {
    RegionId region = step.region;
    while (region != outer && region != 0) {
        if (has_own_team(regions[region])) return false;
        region = regions[region].parent;
    }
    return region == outer;
}

class Waiting {
public:
    explicit Waiting(const Program& program) : program_(program), waits_(program.nodes(), false) {
        std::vector<Node> open;
        const auto add = [&](Node node) {
            if (!waits_[node]) open.push_back(node);
            waits_[node] = true;
        };
        for (FunctionId id = 0; id < program.unit().functions.size(); ++id) {
            const std::span<const Step> steps = program.steps(id);
            for (StepId step = 0; step < steps.size(); ++step) {
                if (steps[step].kind == StepKind::Barrier &&
                    is_of_team_in(program.regions(id), steps[step], 0))
                    add(id);
            }
        }
        while (!open.empty()) {
            const Node node = open.back();
            open.pop_back();
            for (const CallerEdge& caller : program.callers(node)) {
                const bool is_here =
                    caller.kind == CallKind::Dispatch ||
                    (caller.kind == CallKind::Call &&
                     is_of_team_in(
                         program.regions(caller.from), program.steps(caller.from)[caller.step], 0));
                if (is_here) add(caller.from);
            }
        }
    }

    bool is_in(FunctionId function, RegionId guard) const {
        const std::span<const Step> steps = program_.steps(function);
        for (StepId id = 0; id < steps.size(); ++id) {
            if (is_of_team_in(program_.regions(function), steps[id], guard) && waits(function, id))
                return true;
        }
        return false;
    }

private:
    bool waits(FunctionId function, StepId step) const {
        return program_.steps(function)[step].kind == StepKind::Barrier ||
               std::ranges::any_of(program_.calls_of(function, step), [this](const CallEdge& edge) {
                   return edge.kind == CallKind::Call && waits_[edge.to];
               });
    }

    const Program& program_;
    std::vector<bool> waits_;  // by node: at a barrier of the team that calls it
};

}  // namespace

std::vector<const Region*> rounds_of_all(const Program& program) {
    std::vector<std::pair<FunctionId, RegionId>> guards;
    for (FunctionId id = 0; id < program.unit().functions.size(); ++id) {
        const std::span<const Region> regions = program.regions(id);
        for (RegionId region = 1; region < regions.size(); ++region) {
            if (is_changing(regions[region])) guards.emplace_back(id, region);
        }
    }
    if (guards.empty()) return {};
    const Waiting waiting(program);
    std::vector<const Region*> found;
    for (const auto& [function, region] : guards) {
        if (waiting.is_in(function, region)) found.push_back(&program.regions(function)[region]);
    }
    return found;
}

}  // namespace mqinspect::thread_level
