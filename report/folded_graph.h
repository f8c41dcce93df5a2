/// The wait-for graph as it is drawn: ranks that are alike share a node.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "analysis/deadlock.h"
#include "model/job_snapshot.h"

namespace mqinspect::report {

/// What a rank has to do with the verdict.
/// Crashed: a fatal signal has reached it, and it is in no core.
enum class Role { Core, Victim, Blocked, Running, Exited, Unreadable, Crashed };

/// "core", "victim" ...
std::string_view name_of(Role role);

/// By rank.
std::vector<Role> roles_of(const model::JobSnapshot& snapshot, const analysis::Verdict& verdict);

struct GraphNode {
    std::vector<model::WorldRank> ranks;  ///< ascending
    Role role = Role::Blocked;
    std::string what;   ///< its signal and its call, or what a running rank does; may be empty
    std::string place;  ///< of the call: "ring.c:14"; empty without a call
};

/// A list of alternatives that several nodes have, drawn once: edges lead from those nodes to
/// this, and from this to each of the alternatives.
struct AnyOf {
    std::vector<model::WorldRank> ranks;  ///< ascending; a rank that waits is not one of its own
    bool in_core = false;                 ///< ranks of a core wait for others of a core
};

/// A number beyond those of the nodes is that of an AnyOf.
struct GraphEdge {
    std::size_t from = 0;
    std::size_t to = 0;
    bool alternative = false;  ///< one of the node's alternatives is enough

    friend bool operator==(const GraphEdge&, const GraphEdge&) = default;
    friend bool operator<(const GraphEdge& left, const GraphEdge& right) {
        return std::tie(left.from, left.to, left.alternative) <
               std::tie(right.from, right.to, right.alternative);
    }
};

struct FoldedGraph {
    std::vector<GraphNode> nodes;  ///< by their first rank
    std::vector<AnyOf> any_of;     ///< numbered after the nodes
    std::vector<GraphEdge> edges;
    /// Some nodes join ranks that wait for different ranks.
    bool coarse = false;
};

/// Folds ranks that wait alike: same call, place, role and targets; of those of which one is
/// enough a rank itself does not count. If that leaves more
/// than `max_nodes` nodes, the targets no longer count, first for the ranks outside of the
/// cores, then for all; and if there are still more, nor does the place.
FoldedGraph fold_graph(const model::JobSnapshot& snapshot,
                       const analysis::Verdict& verdict,
                       std::size_t max_nodes = std::numeric_limits<std::size_t>::max());

}  // namespace mqinspect::report
