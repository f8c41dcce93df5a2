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

/// The same, of what the step calls.
bool calls_finalizing(const Program& program,
                      const std::vector<bool>& finalizing,
                      Node node,
                      StepId step) {
    return std::ranges::any_of(program.calls_of(node, step), [&](const CallEdge& edge) {
        return edge.kind == CallKind::Call && edge.to < finalizing.size() && finalizing[edge.to];
    });
}

bool finalizes_somewhere(const Program& program, const std::vector<bool>& finalizing, Node node) {
    const std::span<const Step> steps = program.steps(node);
    for (StepId id = 0; id < steps.size(); ++id) {
        if (finalizes(program, steps[id]) || calls_finalizing(program, finalizing, node, id))
            return true;
    }
    return false;
}

/// Steps where a team acts together, or that end MPI.
std::vector<bool> common_steps(const Program& program,
                               const std::vector<bool>& finalizing,
                               Node node) {
    const std::span<const Step> steps = program.steps(node);
    const std::span<const Region> regions = program.regions(node);
    std::vector<bool> common(steps.size(), false);
    for (StepId id = 0; id < steps.size(); ++id) {
        const Step& step = steps[id];
        if (step.kind == StepKind::Leave) {
            const Region& left = regions[step.target];
            common[id] = left.barrier_at_end || left.kind == RegionKind::Parallel ||
                         left.kind == RegionKind::Teams;
        } else {
            common[id] = step.kind == StepKind::Barrier || finalizes(program, step) ||
                         calls_finalizing(program, finalizing, node, id);
        }
    }
    return common;
}

bool ends_here(const Program& program, const Ways& ways, Node node, StepId id) {
    const Step& step = program.steps(node)[id];
    if (step.kind == StepKind::Exit) return false;
    return step.next.empty() || aborts_here(program, ways, node, id);
}

std::vector<bool> ways_of(const Program& program,
                          const Ways& ways,
                          const std::vector<bool>& common,
                          Node node) {
    const std::span<const Step> steps = program.steps(node);
    std::vector<StepId> found;
    for (StepId id = 0; id < steps.size(); ++id)
        if (!common[id] && ends_here(program, ways, node, id)) found.push_back(id);
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
            if (--left[id] != 0 || is_way[id] || common[id]) continue;
            is_way[id] = true;
            found.push_back(id);
        }
    }
    return is_way;
}

/// Other than by an exception, which MPI's functions in C do not throw.
bool leaves(const Step& step) {
    return step.next.empty() && step.kind != StepKind::Join;
}

/// What can't but come to MPI_Abort, by loops, too, that something leaves.
std::vector<bool> aborting_ways_of(const Program& program,
                                   const Ways& aborts,
                                   const std::vector<bool>& common,
                                   Node node) {
    const std::span<const Step> steps = program.steps(node);
    std::vector<std::vector<StepId>> before(steps.size());
    std::vector<bool> is_way(steps.size(), true);
    std::vector<StepId> lost;
    std::vector<StepId> found;
    for (StepId id = 0; id < steps.size(); ++id) {
        for (const StepId next : steps[id].next)
            before[next].push_back(id);
        if (aborts_here(program, aborts, node, id)) {
            found.push_back(id);
        } else if (leaves(steps[id]) || common[id]) {
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
    std::vector<bool> finalizing(program.unit().functions.size(), false);
    for (const std::vector<Node>& component : program.components()) {
        for (const Node node : component) {
            if (!program.is_function(node)) continue;
            const std::vector<bool> common = common_steps(program, finalizing, node);
            finalizing[node] = finalizes_somewhere(program, finalizing, node);
            aborts[node] = aborting_ways_of(program, aborts, common, node);
            ways[node] = ways_of(program, ways, common, node);
            // Who aborts may be about to end MPI as well.
            if (ways[node].empty()) ways[node].resize(aborts[node].size(), false);
            for (StepId id = 0; id < aborts[node].size(); ++id) {
                if (aborts[node][id]) ways[node][id] = true;
            }
        }
    }
    return ways;
}

}  // namespace mqinspect::thread_level
