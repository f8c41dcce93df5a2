/// The AND-OR wait-for graph and its release fixpoint. Knows no MPI.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mqinspect::analysis {

/// Nodes are 0 .. size-1. A blocked node is released when enough of its clauses
/// are; a clause is released when all (AND) or any (OR) of its targets are.
/// Stored in compressed rows: memory and time are linear in nodes, targets of
/// clauses, members of shared sets, and clauses.
///
/// Preconditions: node, set and length arguments are in range; fewer than 2^31
/// nodes, clauses, targets and members in all.
class WaitForGraph {
public:
    enum class NodeState : std::uint8_t {
        Running,  ///< released from the start
        Blocked,  ///< released through its clauses
        Ended,    ///< never released, waits for nothing
    };
    enum class Mode : std::uint8_t { All, Any };

    /// All nodes are Running, with mode All and no clauses.
    explicit WaitForGraph(std::size_t nodes);

    void set_state(std::uint32_t node, NodeState state);
    /// How many clauses must be released: All of them, or Any one. Clauses of a
    /// node that is not Blocked do not count.
    void set_mode(std::uint32_t node, Mode mode);
    /// A clause without targets is released at once if All, never if Any. A node
    /// among its own targets waits for itself if All; it makes no difference if Any.
    void add_clause(std::uint32_t node, Mode mode, std::span<const std::uint32_t> targets);
    /// A set of targets that many nodes share (the members of a communicator that
    /// have not entered a collective): stored once.
    std::uint32_t add_shared_set(std::span<const std::uint32_t> targets);
    void add_shared_clause(std::uint32_t node, Mode mode, std::uint32_t shared_set);
    /// A clause over the first `length` members only (the lower ranks of a scan).
    void add_shared_clause(std::uint32_t node,
                           Mode mode,
                           std::uint32_t shared_set,
                           std::uint32_t length);

    std::size_t size() const { return states_.size(); }

    /// Nodes that can never continue, whatever the running ones do.
    struct Solution {
        std::vector<bool> stuck;  ///< Blocked nodes that are never released
        /// Terminal strongly connected components of the stuck nodes, each
        /// ascending, by first node. An edge leads from a stuck node to each
        /// stuck target of a clause that is not released. With an edge inside, a
        /// deadlock; a single node without one, a hang-up.
        struct Core {
            std::vector<std::uint32_t> nodes;
            bool cyclic = false;
        };
        std::vector<Core> cores;
        /// For each stuck node the next node on a shortest way to a core; itself
        /// inside a core; size() for nodes that are not stuck.
        std::vector<std::uint32_t> next_to_core;
    };
    Solution solve() const;

private:
    friend class WaitForSolver;
    friend class CoreSearch;

    struct Clause {
        std::uint32_t node;
        std::uint32_t first;   ///< in targets_, or the number of a shared set
        std::uint32_t length;  ///< that many targets, or first members
        Mode mode;
        bool shared;
    };

    std::vector<NodeState> states_;
    std::vector<Mode> modes_;
    std::vector<Clause> clauses_;
    std::vector<std::uint32_t> targets_;
    std::vector<std::uint32_t> members_;     // of all shared sets, one after the other
    std::vector<std::uint32_t> set_begins_;  // in members_; one more than there are sets
};

}  // namespace mqinspect::analysis
