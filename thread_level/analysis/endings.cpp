#include "thread_level/analysis/endings.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace mqinspect::thread_level {
namespace {

using Ways = std::vector<std::vector<bool>>;

/// All functions that the call may mean end the process.
bool calls_ending(const Program& program, const Ways& ways, Node node, StepId step) {
    const auto edges = program.calls_of(node, step);
    return !edges.empty() && std::ranges::all_of(edges, [&ways](const CallEdge& edge) {
        return edge.kind == CallKind::Call && edge.to < ways.size() && !ways[edge.to].empty() &&
               ways[edge.to].front();
    });
}

bool ends_here(const Program& program, const Ways& ways, Node node, StepId id) {
    const Step& step = program.steps(node)[id];
    if (step.kind == StepKind::Exit) return false;
    if (step.next.empty()) return true;
    if (step.kind == StepKind::Mpi)
        return std::string_view(program.unit().strings[step.name]) == "MPI_Abort";
    return step.kind == StepKind::Call && calls_ending(program, ways, node, id);
}

/// Where a team acts together.
bool is_common(const Step& step, std::span<const Region> regions) {
    if (step.kind == StepKind::Barrier) return true;
    if (step.kind != StepKind::Leave) return false;
    const Region& left = regions[step.target];
    return left.barrier_at_end || left.kind == RegionKind::Parallel ||
           left.kind == RegionKind::Teams;
}

std::vector<bool> ways_of(const Program& program, const Ways& ways, Node node) {
    const std::span<const Step> steps = program.steps(node);
    const std::span<const Region> regions = program.regions(node);
    std::vector<StepId> found;
    for (StepId id = 0; id < steps.size(); ++id)
        if (ends_here(program, ways, node, id)) found.push_back(id);
    if (found.empty()) return {};
    std::vector<std::vector<StepId>> before(steps.size());
    std::vector<std::size_t> left(steps.size());
    for (StepId id = 0; id < steps.size(); ++id) {
        left[id] = steps[id].next.size();
        for (const StepId next : steps[id].next)
            before[next].push_back(id);
    }
    std::vector<bool> is_way(steps.size(), false);
    for (const StepId id : found)
        is_way[id] = true;
    while (!found.empty()) {
        const StepId at = found.back();
        found.pop_back();
        for (const StepId id : before[at]) {
            if (--left[id] != 0 || is_way[id] || is_common(steps[id], regions)) continue;
            is_way[id] = true;
            found.push_back(id);
        }
    }
    return is_way;
}

}  // namespace

std::vector<std::vector<bool>> ways_out(const Program& program) {
    Ways ways(program.unit().functions.size());
    for (const std::vector<Node>& component : program.components()) {
        for (const Node node : component)
            if (program.is_function(node)) ways[node] = ways_of(program, ways, node);
    }
    return ways;
}

}  // namespace mqinspect::thread_level
