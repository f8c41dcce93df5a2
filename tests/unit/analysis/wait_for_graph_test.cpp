#include "analysis/wait_for_graph.h"

#include <algorithm>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mqinspect::analysis {
namespace {

using Mode = WaitForGraph::Mode;
using NodeState = WaitForGraph::NodeState;
using Nodes = std::vector<std::uint32_t>;
using testing::ElementsAre;
using testing::IsEmpty;

void block(WaitForGraph& graph, std::uint32_t node, Mode mode, const Nodes& targets) {
    graph.set_state(node, NodeState::Blocked);
    graph.add_clause(node, mode, targets);
}

TEST(WaitForGraph, FindsACycle) {
    WaitForGraph graph(4);
    block(graph, 0, Mode::All, {1});
    block(graph, 1, Mode::All, {2});
    block(graph, 2, Mode::All, {0});
    block(graph, 3, Mode::All, {1});

    const auto solution = graph.solve();

    EXPECT_THAT(solution.stuck, ElementsAre(true, true, true, true));
    ASSERT_EQ(solution.cores.size(), 1U);
    EXPECT_THAT(solution.cores[0].nodes, ElementsAre(0, 1, 2));
    EXPECT_TRUE(solution.cores[0].cyclic);
    EXPECT_THAT(solution.next_to_core, ElementsAre(0, 1, 2, 1));
}

TEST(WaitForGraph, TakesNoCycleThroughAnAlternativeForADeadlock) {
    WaitForGraph graph(3);
    block(graph, 0, Mode::Any, {1, 2});
    block(graph, 1, Mode::All, {0});

    const auto solution = graph.solve();

    EXPECT_THAT(solution.stuck, ElementsAre(false, false, false));
    EXPECT_THAT(solution.cores, IsEmpty());
    EXPECT_THAT(solution.next_to_core, ElementsAre(3, 3, 3));
}

TEST(WaitForGraph, CallsAWaitForAnEndedNodeACoreWithoutACycle) {
    WaitForGraph graph(3);
    block(graph, 0, Mode::All, {1});
    graph.set_state(1, NodeState::Ended);
    block(graph, 2, Mode::Any, {0, 1});

    const auto solution = graph.solve();

    EXPECT_THAT(solution.stuck, ElementsAre(true, false, true));
    ASSERT_EQ(solution.cores.size(), 1U);
    EXPECT_THAT(solution.cores[0].nodes, ElementsAre(0));
    EXPECT_FALSE(solution.cores[0].cyclic);
    EXPECT_THAT(solution.next_to_core, ElementsAre(0, 3, 0));
}

TEST(WaitForGraph, NeedsAllOrAnyOfItsClauses) {
    for (const Mode mode : {Mode::All, Mode::Any}) {
        WaitForGraph graph(3);
        graph.set_state(2, NodeState::Ended);
        block(graph, 0, Mode::All, {1});
        block(graph, 0, Mode::All, {2});
        graph.set_mode(0, mode);

        EXPECT_EQ(graph.solve().stuck[0], mode == Mode::All);
    }
}

TEST(WaitForGraph, ReleasesEmptyAllClausesAndNeverEmptyAnyClauses) {
    WaitForGraph graph(4);
    block(graph, 0, Mode::All, {});
    block(graph, 1, Mode::Any, {});
    graph.set_state(2, NodeState::Blocked);
    graph.set_state(3, NodeState::Blocked);
    graph.set_mode(3, Mode::Any);

    EXPECT_THAT(graph.solve().stuck, ElementsAre(false, true, false, true));
}

TEST(WaitForGraph, TakesASelfWaitForADeadlockOnlyIfItIsNeeded) {
    WaitForGraph graph(2);
    block(graph, 0, Mode::All, {0});
    block(graph, 1, Mode::Any, {1});

    const auto solution = graph.solve();

    ASSERT_EQ(solution.cores.size(), 2U);
    EXPECT_TRUE(solution.cores[0].cyclic);
    EXPECT_FALSE(solution.cores[1].cyclic);
}

TEST(WaitForGraph, SharesTheSetOfACollectiveWithOneMissing) {
    constexpr std::uint32_t kNodes = 1000;
    WaitForGraph graph(kNodes);
    const auto missing = graph.add_shared_set(Nodes{kNodes - 1});
    for (std::uint32_t node = 0; node + 1 < kNodes; ++node) {
        graph.set_state(node, NodeState::Blocked);
        graph.add_shared_clause(node, Mode::All, missing);
    }
    EXPECT_THAT(graph.solve().cores, IsEmpty());

    block(graph, kNodes - 1, Mode::All, {5});

    const auto solution = graph.solve();
    ASSERT_EQ(solution.cores.size(), 1U);
    EXPECT_THAT(solution.cores[0].nodes, ElementsAre(5, kNodes - 1));
    EXPECT_EQ(solution.next_to_core[17], kNodes - 1);
}

TEST(WaitForGraph, CoversTheFirstMembersOfASharedSet) {
    WaitForGraph graph(4);
    graph.set_state(1, NodeState::Ended);
    const auto set = graph.add_shared_set(Nodes{0, 1});
    for (const std::uint32_t node : {2U, 3U}) {
        graph.set_state(node, NodeState::Blocked);
        graph.add_shared_clause(node, Mode::All, set, node - 1);
    }

    EXPECT_THAT(graph.solve().stuck, ElementsAre(false, false, false, true));
}

// The same graph without any cleverness.
struct PlainGraph {
    struct Clause {
        Mode mode = Mode::All;
        Nodes targets;
    };
    std::vector<NodeState> states;
    std::vector<Mode> modes;
    std::vector<std::vector<Clause>> clauses;
    std::vector<bool> released;

    static bool enough(Mode mode, std::size_t satisfied, std::size_t all) {
        return mode == Mode::All ? satisfied == all : satisfied > 0;
    }
    bool satisfied(const Clause& clause) const {
        const auto count = std::count_if(clause.targets.begin(),
                                         clause.targets.end(),
                                         [&](std::uint32_t target) { return released[target]; });
        return enough(clause.mode, static_cast<std::size_t>(count), clause.targets.size());
    }
    bool can_go(std::size_t node) const {
        if (states[node] != NodeState::Blocked) return states[node] == NodeState::Running;
        const auto count = std::count_if(clauses[node].begin(),
                                         clauses[node].end(),
                                         [&](const Clause& clause) { return satisfied(clause); });
        return enough(modes[node], static_cast<std::size_t>(count), clauses[node].size());
    }
    void release() {
        released.assign(states.size(), false);
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t node = 0; node < states.size(); ++node) {
                if (released[node] || !can_go(node)) continue;
                released[node] = changed = true;
            }
        }
    }
    bool stuck(std::size_t node) const {
        return states[node] == NodeState::Blocked && !released[node];
    }
    bool edge(std::size_t from, std::size_t to) const {
        if (!stuck(from) || !stuck(to)) return false;
        return std::any_of(clauses[from].begin(), clauses[from].end(), [&](const Clause& clause) {
            return !satisfied(clause) && (from != to || clause.mode == Mode::All) &&
                   std::count(clause.targets.begin(), clause.targets.end(), to) > 0;
        });
    }
    /// distance[a][b]: edges on a shortest way of at least one edge; size() if none.
    std::vector<Nodes> distances() const {
        const std::size_t size = states.size();
        std::vector<Nodes> distance(size, Nodes(size, static_cast<std::uint32_t>(size + 1)));
        for (std::size_t a = 0; a < size; ++a) {
            for (std::size_t b = 0; b < size; ++b) {
                if (edge(a, b)) distance[a][b] = 1;
            }
        }
        for (std::size_t k = 0; k < size; ++k) {
            for (std::size_t a = 0; a < size; ++a) {
                for (std::size_t b = 0; b < size; ++b) {
                    distance[a][b] = std::min(distance[a][b], distance[a][k] + distance[k][b]);
                }
            }
        }
        return distance;
    }
};

struct RandomGraph {
    WaitForGraph graph;
    PlainGraph plain;
};

RandomGraph random_graph(unsigned seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t limit) {
        return static_cast<std::uint32_t>(random() % limit);
    };
    const std::uint32_t size = 1 + below(9);
    RandomGraph both{WaitForGraph(size), {}};
    both.plain.states.resize(size);
    both.plain.modes.resize(size);
    both.plain.clauses.resize(size);
    const auto some_nodes = [&](std::uint32_t limit) {
        Nodes nodes(below(limit));
        for (auto& node : nodes)
            node = below(size);
        return nodes;
    };
    std::vector<Nodes> sets;
    for (std::uint32_t i = below(3); i > 0; --i) {
        sets.push_back(some_nodes(size + 2));
        both.graph.add_shared_set(sets.back());
    }
    const std::uint32_t blocked_of_ten = 5 + below(6);
    for (std::uint32_t node = 0; node < size; ++node) {
        auto& state = both.plain.states[node];
        state = below(10) < blocked_of_ten ? NodeState::Blocked
                : below(2) == 0            ? NodeState::Running
                                           : NodeState::Ended;
        both.plain.modes[node] = below(3) == 0 ? Mode::Any : Mode::All;
        both.graph.set_state(node, state);
        both.graph.set_mode(node, both.plain.modes[node]);
        for (std::uint32_t i = below(4); i > 0; --i) {
            const Mode mode = below(2) == 0 ? Mode::Any : Mode::All;
            Nodes targets = some_nodes(4);
            if (!sets.empty() && below(2) == 0) {
                const std::uint32_t set = below(static_cast<std::uint32_t>(sets.size()));
                targets = sets[set];
                targets.resize(below(static_cast<std::uint32_t>(targets.size()) + 1));
                if (below(2) == 0) targets = sets[set];
                both.graph.add_shared_clause(
                    node, mode, set, static_cast<std::uint32_t>(targets.size()));
            } else {
                both.graph.add_clause(node, mode, targets);
            }
            both.plain.clauses[node].push_back({mode, targets});
        }
    }
    both.plain.release();
    return both;
}

// The cores as the header defines them, by reachability of every pair.
std::vector<WaitForGraph::Solution::Core> plain_cores(const PlainGraph& plain,
                                                      const std::vector<Nodes>& distance) {
    const auto size = static_cast<std::uint32_t>(plain.states.size());
    const auto reaches = [&](std::uint32_t a, std::uint32_t b) { return distance[a][b] <= size; };
    std::vector<WaitForGraph::Solution::Core> cores;
    for (std::uint32_t node = 0; node < size; ++node) {
        if (!plain.stuck(node)) continue;
        Nodes component;
        bool terminal = true;
        for (std::uint32_t other = 0; other < size; ++other) {
            const bool together = other == node || (reaches(node, other) && reaches(other, node));
            if (together) component.push_back(other);
            if (reaches(node, other) && !together) terminal = false;
        }
        if (terminal && component.front() == node) {
            cores.push_back({component, reaches(node, node)});
        }
    }
    return cores;
}

TEST(WaitForGraph, AgreesWithBruteForceOnRandomGraphs) {
    std::size_t stuck_nodes = 0;
    std::size_t core_count = 0;
    for (unsigned seed = 0; seed < 20000; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const auto [graph, plain] = random_graph(seed);
        const auto distance = plain.distances();
        const auto expected = plain_cores(plain, distance);

        const auto solution = graph.solve();

        const auto size = static_cast<std::uint32_t>(graph.size());
        ASSERT_EQ(solution.cores.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            ASSERT_EQ(solution.cores[i].nodes, expected[i].nodes);
            ASSERT_EQ(solution.cores[i].cyclic, expected[i].cyclic);
        }
        const auto to_core = [&](std::uint32_t node) {
            std::uint32_t nearest = size + 1;
            for (const auto& core : expected) {
                for (const std::uint32_t member : core.nodes) {
                    nearest = std::min(nearest, member == node ? 0 : distance[node][member]);
                }
            }
            return nearest;
        };
        for (std::uint32_t node = 0; node < size; ++node) {
            ASSERT_EQ(solution.stuck[node], plain.stuck(node)) << "node " << node;
            const std::uint32_t next = solution.next_to_core[node];
            if (!plain.stuck(node)) {
                ASSERT_EQ(next, size);
                continue;
            }
            ASSERT_LT(next, size) << "node " << node;
            if (to_core(node) == 0) {
                ASSERT_EQ(next, node);
            } else {
                ASSERT_TRUE(plain.edge(node, next)) << "node " << node;
                ASSERT_EQ(to_core(next) + 1, to_core(node)) << "node " << node;
            }
            ++stuck_nodes;
        }
        core_count += expected.size();
    }
    // The property means nothing if nothing is ever stuck.
    EXPECT_GT(stuck_nodes, 20000U);
    EXPECT_GT(core_count, 10000U);
}

}  // namespace
}  // namespace mqinspect::analysis
