#include "analysis/wait_for_graph.h"

#include <cassert>

#include "analysis/wait_for_solver.h"

namespace mqinspect::analysis {

WaitForGraph::WaitForGraph(std::size_t nodes)
    : states_(nodes, NodeState::Running), modes_(nodes, Mode::All), set_begins_(1, 0) {}

void WaitForGraph::set_state(std::uint32_t node, NodeState state) {
    states_[node] = state;
}

void WaitForGraph::set_mode(std::uint32_t node, Mode mode) {
    modes_[node] = mode;
}

void WaitForGraph::add_clause(std::uint32_t node,
                              Mode mode,
                              std::span<const std::uint32_t> targets) {
    assert(node < size());
    const auto first = static_cast<std::uint32_t>(targets_.size());
    targets_.insert(targets_.end(), targets.begin(), targets.end());
    const auto length = static_cast<std::uint32_t>(targets.size());
    clauses_.push_back({node, first, length, mode, false});
}

std::uint32_t WaitForGraph::add_shared_set(std::span<const std::uint32_t> targets) {
    members_.insert(members_.end(), targets.begin(), targets.end());
    set_begins_.push_back(static_cast<std::uint32_t>(members_.size()));
    return static_cast<std::uint32_t>(set_begins_.size() - 2);
}

void WaitForGraph::add_shared_clause(std::uint32_t node, Mode mode, std::uint32_t shared_set) {
    const std::uint32_t length = set_begins_[shared_set + 1] - set_begins_[shared_set];
    add_shared_clause(node, mode, shared_set, length);
}

void WaitForGraph::add_shared_clause(std::uint32_t node,
                                     Mode mode,
                                     std::uint32_t shared_set,
                                     std::uint32_t length) {
    assert(node < size());
    assert(length <= set_begins_[shared_set + 1] - set_begins_[shared_set]);
    clauses_.push_back({node, shared_set, length, mode, true});
}

WaitForGraph::Solution WaitForGraph::solve() const {
    WaitForSolver solver(*this);
    solver.release();
    Solution solution;
    solution.stuck.resize(size());
    for (std::uint32_t node = 0; node < size(); ++node)
        solution.stuck[node] = solver.stuck(node);
    solution.cores = solver.find_cores();
    solution.next_to_core = solver.ways_to_cores(solution.cores);
    return solution;
}

}  // namespace mqinspect::analysis
