/// The wait-for graph of a job, solved with what is certain and with what is not.
#pragma once

#include <vector>

#include "analysis/job_index.h"
#include "analysis/wait_for_graph.h"
#include "analysis/waits.h"

namespace mqinspect::analysis {

/// Nodes of the graph are the ranks and, after them, the ranks in MPI_Finalize once
/// more: nobody can wait for what such a rank will send or enter, so as a target it
/// has ended, but it still waits itself.
class Stuck {
public:
    /// Keeps references.
    Stuck(const JobIndex& index, const Waits& waits);

    /// Stuck whatever the unknown ranks and conditions turn out to be.
    const WaitForGraph::Solution& certain() const { return certain_; }
    bool is_stuck(Node node) const { return certain_.stuck[own_node(node)]; }
    /// The rank that a node of the graph stands for.
    Node rank_of(Node graph_node) const {
        return graph_node < index_.size() ? graph_node : finalizing_[graph_node - index_.size()];
    }
    /// The node with the rank's own waits.
    Node own_node(Node rank) const;

    /// Ranks that cannot be read, or wait in a way that is not known, if more ranks
    /// may be stuck because of that; else empty. Ascending.
    const std::vector<Node>& unknown() const { return unknown_; }
    /// Ranks that are stuck only if the unknown ones never go on. Ascending.
    const std::vector<Node>& possibly_stuck() const { return possibly_stuck_; }

private:
    WaitForGraph::Solution solve(bool certain_only) const;
    void add_rank(WaitForGraph& graph, Node graph_node, bool certain_only) const;
    void find_unknown();

    const JobIndex& index_;
    const Waits& waits_;
    std::vector<Node> finalizing_;
    WaitForGraph::Solution certain_;
    std::vector<Node> unknown_;
    std::vector<Node> possibly_stuck_;
};

}  // namespace mqinspect::analysis
