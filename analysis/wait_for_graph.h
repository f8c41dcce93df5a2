/// The AND-OR wait-for graph and its release fixpoint. Knows no MPI.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mqinspect::analysis {

/// Nodes are 0 .. size-1. A blocked node is released when enough of its clauses
/// are; a clause is released when all (AND) or any (OR) of its targets are.
/// Stored in compressed rows: memory and time are linear in nodes and edges.
class WaitForGraph {
public:
    enum class NodeState : std::uint8_t {
        Running,  ///< released from the start
        Blocked,  ///< released through its clauses
        Ended,    ///< never released, waits for nothing
    };
    enum class Mode : std::uint8_t { All, Any };

    explicit WaitForGraph(std::size_t nodes);

    void set_state(std::uint32_t node, NodeState state);
    /// How many clauses must be released: All of them, or Any one.
    void set_mode(std::uint32_t node, Mode mode);
    /// A clause without targets is released at once if All, never if Any.
    void add_clause(std::uint32_t node, Mode mode, std::span<const std::uint32_t> targets);
    /// An All clause over a set that many nodes share (the members of a
    /// communicator that have not entered a collective): stored once.
    std::uint32_t add_shared_set(std::span<const std::uint32_t> targets);
    void add_shared_clause(std::uint32_t node, Mode mode, std::uint32_t shared_set);

    std::size_t size() const;

    /// Nodes that can never continue, whatever the running ones do.
    struct Solution {
        std::vector<bool> stuck;  ///< Blocked nodes that are never released
        /// Terminal strongly connected components of the stuck nodes, each
        /// ascending: with an edge inside, a deadlock; a single node without one,
        /// a hang-up.
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
    // Data members are the implementer's choice.
};

}  // namespace mqinspect::analysis
