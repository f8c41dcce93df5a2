#include "analysis/stuck.h"

#include <algorithm>

namespace mqinspect::analysis {

using Mode = WaitForGraph::Mode;
using NodeState = WaitForGraph::NodeState;

namespace {

bool is_certain(const Clause& clause) {
    return clause.certain;
}

bool says_nothing(const RankWait& wait) {
    return std::any_of(wait.clauses.begin(), wait.clauses.end(), [](const Clause& clause) {
        return clause.kind == Clause::Kind::Other;
    });
}

// For a process of another job, that may wait in its turn for one of this.
bool waits_out_of_sight(const RankWait& wait) {
    return std::any_of(wait.clauses.begin(), wait.clauses.end(), [](const Clause& clause) {
        return clause.of_foreign != Clause::Kind::Other;
    });
}

}  // namespace

Stuck::Stuck(const JobIndex& index, const Waits& waits) : index_(index), waits_(waits) {
    bool all_certain = true;
    for (Node node = 0; node < index_.size(); ++node) {
        const RankWait& wait = waits_.ranks[node];
        if (index_.in_finalize(node)) finalizing_.push_back(node);
        all_certain =
            all_certain && std::all_of(wait.clauses.begin(), wait.clauses.end(), is_certain);
    }
    certain_ = solve(true);
    if (!all_certain) find_unknown();
}

Node Stuck::own_node(Node rank) const {
    if (!index_.in_finalize(rank)) return rank;
    const auto place = std::lower_bound(finalizing_.begin(), finalizing_.end(), rank);
    return static_cast<Node>(index_.size() + static_cast<std::size_t>(place - finalizing_.begin()));
}

WaitForGraph::Solution Stuck::solve(bool certain_only) const {
    WaitForGraph graph(index_.size() + finalizing_.size());
    for (const auto& set : waits_.sets)
        graph.add_shared_set(set);
    for (Node node = 0; node < graph.size(); ++node)
        add_rank(graph, node, certain_only);
    return graph.solve();
}

void Stuck::add_rank(WaitForGraph& graph, Node graph_node, bool certain_only) const {
    const RankWait& wait = waits_.ranks[rank_of(graph_node)];
    if (wait.state == RankWait::State::Running) return;
    if (wait.state == RankWait::State::Ended && graph_node < index_.size()) {
        graph.set_state(graph_node, NodeState::Ended);
        return;
    }
    // What is not certain may be met already: one of several ways out, or one
    // condition less.
    const bool way_out = certain_only && wait.mode == Mode::Any &&
                         !std::all_of(wait.clauses.begin(), wait.clauses.end(), is_certain);
    if (way_out) return;
    graph.set_state(graph_node, NodeState::Blocked);
    graph.set_mode(graph_node, wait.mode);
    for (const Clause& clause : wait.clauses) {
        if (certain_only && !clause.certain) continue;
        if (clause.shared) {
            graph.add_shared_clause(
                graph_node, clause.mode, clause.shared->set, clause.shared->length);
        } else {
            graph.add_clause(graph_node, clause.mode, clause.targets);
        }
    }
}

// The other extreme: unknown ranks never go on. Two of them may also wait for each
// other, and one may wait for a rank that has ended or is stuck.
void Stuck::find_unknown() {
    const auto worst = solve(false);
    std::vector<Node> unknown;
    bool somebody_ended = false;
    bool out_of_sight = false;
    for (Node node = 0; node < index_.size(); ++node) {
        const RankWait& wait = waits_.ranks[node];
        const Node own = own_node(node);
        out_of_sight = out_of_sight || waits_out_of_sight(wait);
        somebody_ended = somebody_ended || wait.state == RankWait::State::Ended;
        if (!worst.stuck[own] || certain_.stuck[own]) continue;
        const bool no_idea = says_nothing(wait);
        const bool guessed = !std::all_of(wait.clauses.begin(), wait.clauses.end(), is_certain);
        if (no_idea || guessed) unknown.push_back(node);
        if (!no_idea) possibly_stuck_.push_back(node);
    }
    const bool certain_core = !certain_.cores.empty();
    if (!possibly_stuck_.empty() || unknown.size() > 1 || somebody_ended || certain_core ||
        out_of_sight) {
        unknown_ = std::move(unknown);
    }
}

}  // namespace mqinspect::analysis
