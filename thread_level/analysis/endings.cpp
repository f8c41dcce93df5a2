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

/// MPI_Abort, or a function of which all ways come to that.
bool aborts_here(const Program& program, const Ways& aborts, Node node, StepId id) {
    const Step& step = program.steps(node)[id];
    if (step.kind == StepKind::Mpi)
        return std::string_view(program.unit().strings[step.name]) == "MPI_Abort";
    return step.kind == StepKind::Call && calls_ending(program, aborts, node, id);
}

/// What only the main thread may do, when all others have done.
bool finalizes(const Program& program, const Step& step) {
    return step.kind == StepKind::Mpi && program.procedure(step.name).use == Use::Finalize;
}

/// Where a team acts together, or ends MPI.
bool is_common(const Program& program, const Step& step, std::span<const Region> regions) {
    if (step.kind == StepKind::Barrier) return true;
    if (step.kind != StepKind::Leave) return finalizes(program, step);
    const Region& left = regions[step.target];
    return left.barrier_at_end || left.kind == RegionKind::Parallel ||
           left.kind == RegionKind::Teams;
}

bool ends_here(const Program& program, const Ways& ways, Node node, StepId id) {
    const Step& step = program.steps(node)[id];
    if (step.kind == StepKind::Exit || finalizes(program, step)) return false;
    return step.next.empty() || aborts_here(program, ways, node, id);
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
            if (--left[id] != 0 || is_way[id] || is_common(program, steps[id], regions)) continue;
            is_way[id] = true;
            found.push_back(id);
        }
    }
    return is_way;
}

/// What can't but come to MPI_Abort, by loops, too, that something leaves.
std::vector<bool> aborting_ways_of(const Program& program, const Ways& aborts, Node node) {
    const std::span<const Step> steps = program.steps(node);
    const std::span<const Region> regions = program.regions(node);
    std::vector<std::vector<StepId>> before(steps.size());
    std::vector<bool> is_way(steps.size(), true);
    std::vector<StepId> lost;
    std::vector<StepId> found;
    for (StepId id = 0; id < steps.size(); ++id) {
        for (const StepId next : steps[id].next)
            before[next].push_back(id);
        if (aborts_here(program, aborts, node, id)) {
            found.push_back(id);
        } else if (steps[id].next.empty() || is_common(program, steps[id], regions)) {
            lost.push_back(id);
        }
    }
    if (found.empty()) return {};
    std::vector<bool> ends(steps.size(), false);
    for (const StepId id : found)
        ends[id] = true;
    const auto go_back = [&](std::vector<StepId>& open, std::vector<bool>& marks, bool mark) {
        while (!open.empty()) {
            const StepId at = open.back();
            open.pop_back();
            for (const StepId id : before[at]) {
                if (marks[id] == mark || ends[id] || (mark && !is_way[id])) continue;
                marks[id] = mark;
                open.push_back(id);
            }
        }
    };
    for (const StepId id : lost)
        is_way[id] = false;
    go_back(lost, is_way, false);
    std::vector<bool> comes_there = ends;
    go_back(found, comes_there, true);
    return comes_there;
}

}  // namespace

std::vector<std::vector<bool>> ways_out(const Program& program) {
    Ways aborts(program.unit().functions.size());
    Ways ways = aborts;
    for (const std::vector<Node>& component : program.components()) {
        for (const Node node : component) {
            if (!program.is_function(node)) continue;
            aborts[node] = aborting_ways_of(program, aborts, node);
            ways[node] = ways_of(program, ways, node);
            for (StepId id = 0; id < aborts[node].size(); ++id) {
                if (aborts[node][id]) ways[node][id] = true;
            }
        }
    }
    return ways;
}

}  // namespace mqinspect::thread_level
