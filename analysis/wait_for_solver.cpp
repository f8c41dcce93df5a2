#include "analysis/wait_for_solver.h"

#include <algorithm>
#include <limits>

namespace mqinspect::analysis {

WaitForSolver::WaitForSolver(const WaitForGraph& graph)
    : graph_(graph),
      clauses_of_node_(graph.size()),
      clauses_with_target_(graph.size()),
      positions_of_node_(graph.size()),
      clauses_of_length_(graph.members_.size() + graph.set_begins_.size()),
      released_(graph.size()),
      satisfied_(graph.clauses_.size()),
      open_clauses_(graph.size()),
      open_targets_(graph.clauses_.size()) {
    index_clauses();
    index_targets();
}

void WaitForSolver::index_clauses() {
    const auto& clauses = graph_.clauses_;
    const auto each = [&](const auto& act) {
        for (std::uint32_t i = 0; i < clauses.size(); ++i)
            act(i, clauses[i]);
    };
    each([&](std::uint32_t, const Clause& clause) {
        clauses_of_node_.count(clause.node);
        if (clause.shared) clauses_of_length_.count(length_row(clause.first, clause.length));
    });
    clauses_of_node_.start();
    clauses_of_length_.start();
    each([&](std::uint32_t i, const Clause& clause) {
        clauses_of_node_.add(clause.node, i);
        if (clause.shared) clauses_of_length_.add(length_row(clause.first, clause.length), i);
    });
}

void WaitForSolver::index_targets() {
    const auto each_target = [&](const auto& act) {
        for (std::uint32_t i = 0; i < graph_.clauses_.size(); ++i) {
            const Clause& clause = graph_.clauses_[i];
            if (clause.shared) continue;
            for (std::uint32_t k = 0; k < clause.length; ++k) {
                act(graph_.targets_[clause.first + k], i);
            }
        }
    };
    each_target([&](Node target, std::uint32_t) { clauses_with_target_.count(target); });
    clauses_with_target_.start();
    each_target([&](Node target, std::uint32_t i) { clauses_with_target_.add(target, i); });

    for (const Node member : graph_.members_)
        positions_of_node_.count(member);
    positions_of_node_.start();
    set_of_position_.reserve(graph_.members_.size());
    for (std::uint32_t set = 0; set + 1 < graph_.set_begins_.size(); ++set) {
        for (std::uint32_t i = 0; i < set_size(set); ++i) {
            const std::uint32_t position = graph_.set_begins_[set] + i;
            positions_of_node_.add(graph_.members_[position], position);
            set_of_position_.push_back(set);
        }
        prefix_.push_back(0);
        earliest_.push_back(set_size(set));
    }
}

void WaitForSolver::release() {
    for (Node node = 0; node < graph_.size(); ++node) {
        const bool any = graph_.modes_[node] == Mode::Any;
        open_clauses_[node] = any ? 1 : static_cast<std::uint32_t>(clauses_of_node_[node].size());
        const bool running = graph_.states_[node] == WaitForGraph::NodeState::Running;
        if (running || (blocked(node) && open_clauses_[node] == 0)) release_node(node);
    }
    for (std::uint32_t i = 0; i < graph_.clauses_.size(); ++i) {
        const Clause& clause = graph_.clauses_[i];
        open_targets_[i] = clause.mode == Mode::Any ? 1 : clause.length;
        if (clause.mode == Mode::All && clause.length == 0) satisfy(i);
    }
    while (!queue_.empty()) {
        const Node node = queue_.back();
        queue_.pop_back();
        for (const std::uint32_t clause : clauses_with_target_[node]) {
            if (!satisfied_[clause] && --open_targets_[clause] == 0) satisfy(clause);
        }
        for (const std::uint32_t position : positions_of_node_[node])
            release_member(position);
    }
}

void WaitForSolver::release_node(Node node) {
    if (released_[node]) return;
    released_[node] = true;
    queue_.push_back(node);
}

void WaitForSolver::satisfy(std::uint32_t clause) {
    if (satisfied_[clause]) return;
    satisfied_[clause] = true;
    const Node node = graph_.clauses_[clause].node;
    if (!blocked(node) || open_clauses_[node] == 0) return;
    if (--open_clauses_[node] == 0) release_node(node);
}

void WaitForSolver::satisfy_shared(std::uint32_t set, std::uint32_t length, Mode mode) {
    for (const std::uint32_t clause : clauses_of_length_[length_row(set, length)]) {
        if (graph_.clauses_[clause].mode == mode) satisfy(clause);
    }
}

// Both marks only ever move one way, so all members together cost as much as the
// set is long.
void WaitForSolver::release_member(std::uint32_t position) {
    const std::uint32_t set = set_of_position_[position];
    const std::uint32_t begin = graph_.set_begins_[set];
    while (prefix_[set] < set_size(set) && released_[graph_.members_[begin + prefix_[set]]]) {
        satisfy_shared(set, ++prefix_[set], Mode::All);
    }
    while (earliest_[set] > position - begin)
        satisfy_shared(set, earliest_[set]--, Mode::Any);
}

/// Tarjan's algorithm without recursion. Its vertices are the nodes and, after
/// them, the positions of the shared sets: a node leads to the last position that
/// its clause covers, a position to its member and to the position before it.
class CoreSearch {
public:
    explicit CoreSearch(const WaitForSolver& solver)
        : solver_(solver),
          graph_(solver.graph_),
          nodes_(static_cast<Vertex>(graph_.size())),
          index_(graph_.size() + graph_.members_.size()),
          low_(index_.size()),
          flags_(index_.size()) {}

    std::vector<WaitForSolver::Core> run() {
        for (Vertex node = 0; node < nodes_; ++node) {
            if (solver_.stuck(node) && index_[node] == 0) search(node);
        }
        std::sort(cores_.begin(), cores_.end(), [](const auto& left, const auto& right) {
            return left.nodes.front() < right.nodes.front();
        });
        return std::move(cores_);
    }

private:
    using Vertex = std::uint32_t;
    enum Flag : std::uint8_t { Done = 1, WayOut = 2 };
    struct Frame {
        Vertex vertex;
        std::uint32_t clause;  ///< of the vertex: the one to look at next
        std::uint32_t target;  ///< within the clause
    };
    static constexpr Vertex kNone = std::numeric_limits<Vertex>::max();

    void enter(Vertex vertex) {
        index_[vertex] = low_[vertex] = ++last_index_;
        open_.push_back(vertex);
        frames_.push_back({vertex, 0, 0});
    }

    void search(Vertex root) {
        enter(root);
        while (!frames_.empty()) {
            const Vertex vertex = frames_.back().vertex;
            const Vertex next = next_edge(frames_.back());
            if (next != kNone) {
                if (index_[next] == 0) {
                    enter(next);
                } else {
                    look_at(vertex, next);
                }
                continue;
            }
            frames_.pop_back();
            if (low_[vertex] == index_[vertex]) close(vertex);
            if (!frames_.empty()) look_at(frames_.back().vertex, vertex);
        }
    }

    // The edge to a vertex that has been entered before.
    void look_at(Vertex from, Vertex to) {
        if ((flags_[to] & Done) == 0) {
            low_[from] = std::min(low_[from], low_[to]);
        } else if ((flags_[to] & WayOut) != 0) {
            flags_[from] |= WayOut;
        }
    }

    // All vertices after `root` on the stack are one component. Afterwards WayOut
    // says of each whether an edge to it leads to a stuck node.
    void close(Vertex root) {
        WaitForSolver::Core core;
        bool way_out = false;
        std::size_t first = open_.size();
        do {
            const Vertex vertex = open_[--first];
            way_out = way_out || (flags_[vertex] & WayOut) != 0;
            if (vertex < nodes_) core.nodes.push_back(vertex);
        } while (open_[first] != root);
        const bool leads = way_out || !core.nodes.empty();
        for (std::size_t i = first; i < open_.size(); ++i) {
            flags_[open_[i]] = static_cast<std::uint8_t>(leads ? Done | WayOut : Done);
        }
        open_.resize(first);
        if (way_out || core.nodes.empty()) return;
        std::sort(core.nodes.begin(), core.nodes.end());
        core.cyclic = core.nodes.size() > 1 || waits_for_itself(core.nodes.front());
        cores_.push_back(std::move(core));
    }

    bool waits_for_itself(Vertex node) const {
        for (const std::uint32_t i : solver_.clauses_of_node_[node]) {
            const auto& clause = graph_.clauses_[i];
            if (clause.mode == WaitForGraph::Mode::Any || solver_.satisfied_[i]) continue;
            const auto begin = clause.shared
                                   ? graph_.members_.begin() + graph_.set_begins_[clause.first]
                                   : graph_.targets_.begin() + clause.first;
            if (std::find(begin, begin + clause.length, node) != begin + clause.length) return true;
        }
        return false;
    }

    Vertex next_edge(Frame& frame) const {
        return frame.vertex < nodes_ ? next_of_node(frame) : next_of_position(frame);
    }

    Vertex next_of_node(Frame& frame) const {
        const auto clauses = solver_.clauses_of_node_[frame.vertex];
        for (; frame.clause < clauses.size(); ++frame.clause, frame.target = 0) {
            const std::uint32_t i = clauses[frame.clause];
            if (solver_.satisfied_[i]) continue;
            const auto& clause = graph_.clauses_[i];
            if (clause.shared) {
                if (clause.length == 0 || frame.target > 0) continue;
                ++frame.target;
                return nodes_ + graph_.set_begins_[clause.first] + clause.length - 1;
            }
            while (frame.target < clause.length) {
                const Vertex target = graph_.targets_[clause.first + frame.target++];
                if (solver_.stuck(target)) return target;
            }
        }
        return kNone;
    }

    Vertex next_of_position(Frame& frame) const {
        const std::uint32_t position = frame.vertex - nodes_;
        if (frame.target == 0) {
            ++frame.target;
            if (solver_.stuck(graph_.members_[position])) return graph_.members_[position];
        }
        if (frame.target == 1) {
            ++frame.target;
            const std::uint32_t set = solver_.set_of_position_[position];
            if (position > graph_.set_begins_[set]) return frame.vertex - 1;
        }
        return kNone;
    }

    const WaitForSolver& solver_;
    const WaitForGraph& graph_;
    const Vertex nodes_;
    std::vector<std::uint32_t> index_;  // 0: not entered
    std::vector<std::uint32_t> low_;
    std::vector<std::uint8_t> flags_;
    std::vector<Vertex> open_;  // entered, component not yet known
    std::vector<Frame> frames_;
    std::vector<WaitForSolver::Core> cores_;
    std::uint32_t last_index_ = 0;
};

std::vector<WaitForSolver::Core> WaitForSolver::find_cores() const {
    return CoreSearch(*this).run();
}

std::vector<WaitForSolver::Node> WaitForSolver::ways_to_cores(
    const std::vector<Core>& cores) const {
    const auto nowhere = static_cast<Node>(graph_.size());
    std::vector<Node> next(graph_.size(), nowhere);
    std::vector<Node> queue;
    for (const Core& core : cores) {
        for (const Node node : core.nodes) {
            next[node] = node;
            queue.push_back(node);
        }
    }
    std::vector<std::uint32_t> reached(earliest_.size());  // by set: the first member reached
    for (std::uint32_t set = 0; set < reached.size(); ++set)
        reached[set] = set_size(set);
    const auto reach_from = [&](std::uint32_t clause, Node node) {
        const Node waiting = graph_.clauses_[clause].node;
        if (satisfied_[clause] || !stuck(waiting) || next[waiting] != nowhere) return;
        next[waiting] = node;
        queue.push_back(waiting);
    };
    for (std::size_t i = 0; i < queue.size(); ++i) {
        const Node node = queue[i];
        for (const std::uint32_t clause : clauses_with_target_[node])
            reach_from(clause, node);
        for (const std::uint32_t position : positions_of_node_[node]) {
            const std::uint32_t set = set_of_position_[position];
            for (; reached[set] > position - graph_.set_begins_[set]; --reached[set]) {
                for (const std::uint32_t clause :
                     clauses_of_length_[length_row(set, reached[set])]) {
                    reach_from(clause, node);
                }
            }
        }
    }
    return next;
}

}  // namespace mqinspect::analysis
