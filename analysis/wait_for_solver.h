/// The three passes over a wait-for graph; used by WaitForGraph::solve only.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/compressed_rows.h"
#include "analysis/wait_for_graph.h"

namespace mqinspect::analysis {

class WaitForSolver {
public:
    using Node = std::uint32_t;
    using Core = WaitForGraph::Solution::Core;

    /// Keeps a reference to the graph.
    explicit WaitForSolver(const WaitForGraph& graph);

    /// The fixpoint: marks every node and clause that can be released.
    void release();
    /// After release().
    bool stuck(Node node) const { return blocked(node) && !released_[node]; }
    std::vector<Core> find_cores() const;
    std::vector<Node> ways_to_cores(const std::vector<Core>& cores) const;

private:
    friend class CoreSearch;
    using Clause = WaitForGraph::Clause;
    using Mode = WaitForGraph::Mode;

    bool blocked(Node node) const {
        return graph_.states_[node] == WaitForGraph::NodeState::Blocked;
    }
    /// Clauses over shared sets are found by set and length.
    std::size_t length_row(std::uint32_t set, std::uint32_t length) const {
        return std::size_t{graph_.set_begins_[set]} + set + length;
    }
    std::uint32_t set_size(std::uint32_t set) const {
        return graph_.set_begins_[set + 1] - graph_.set_begins_[set];
    }

    void index_clauses();
    void index_targets();
    void release_node(Node node);
    void satisfy(std::uint32_t clause);
    void satisfy_shared(std::uint32_t set, std::uint32_t length, Mode mode);
    void release_member(std::uint32_t position);

    const WaitForGraph& graph_;
    CompressedRows clauses_of_node_;
    CompressedRows clauses_with_target_;  // plain clauses, by target
    CompressedRows positions_of_node_;    // in members_ of the graph, by member
    CompressedRows clauses_of_length_;    // shared clauses, by length_row()
    std::vector<std::uint32_t> set_of_position_;

    std::vector<bool> released_;
    std::vector<bool> satisfied_;              // by clause
    std::vector<std::uint32_t> open_clauses_;  // by node: how many must still be satisfied
    std::vector<std::uint32_t> open_targets_;  // by plain clause
    std::vector<std::uint32_t> prefix_;        // by set: that many first members are released
    std::vector<std::uint32_t> earliest_;      // by set: the first released member
    std::vector<Node> queue_;
};

}  // namespace mqinspect::analysis
