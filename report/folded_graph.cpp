#include "report/folded_graph.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "report/call_text.h"
#include "report/distinct_lists.h"

namespace mqinspect::report {
namespace {

using analysis::Wait;
using model::RankState;
using model::WorldRank;

/// How much of a rank counts when ranks are told apart.
enum class Fineness { Exact, ExactCores, WithoutTargets, WithoutPlace };

/// What makes two ranks one node.
struct Look {
    std::string what;
    std::string place;
    Role role = Role::Blocked;
    /// Numbers of lists of targets, and whether all of each are needed.
    std::vector<std::pair<std::size_t, bool>> waits;

    friend bool operator<(const Look& left, const Look& right) {
        return std::tie(left.what, left.place, left.role, left.waits) <
               std::tie(right.what, right.place, right.role, right.waits);
    }
};

class Folder {
public:
    Folder(const model::JobSnapshot& snapshot, const analysis::Verdict& verdict)
        : looks_(snapshot.ranks.size()) {
        const std::vector<Role> roles = roles_of(snapshot, verdict);
        for (const Wait& wait : verdict.waits) {
            if (known(wait.rank)) {
                looks_[wait.rank.index()].waits.emplace_back(number_of(wait), wait.all);
            }
        }
        for (const model::RankSnapshot& rank : snapshot.ranks) {
            Look& look = looks_[rank.rank.index()];
            look.role = roles[rank.rank.index()];
            if (rank.call) {
                look.what = rank.call->function;
                look.place = location_text(rank.call->location, false);
            } else if (rank.state == RankState::Running) {
                look.what = activity_text(rank, false);
            }
            if (rank.signal) {
                look.what = rank.signal->name + (look.what.empty() ? "" : " in " + look.what);
            }
        }
    }

    FoldedGraph fold(Fineness fineness) const {
        FoldedGraph graph;
        graph.coarse = fineness != Fineness::Exact;
        std::map<Look, std::size_t> numbers;
        std::vector<std::size_t> node_of;
        for (std::size_t i = 0; i < looks_.size(); ++i) {
            const auto [place, is_new] = numbers.emplace(key(looks_[i], fineness), numbers.size());
            const Look& look = place->first;
            if (is_new) graph.nodes.push_back({{}, look.role, look.what, look.place});
            graph.nodes[place->second].ranks.emplace_back(static_cast<int>(i));
            node_of.push_back(place->second);
        }
        add_edges(graph, node_of);
        return graph;
    }

private:
    bool known(WorldRank rank) const { return rank.value >= 0 && rank.index() < looks_.size(); }

    static Look key(Look look, Fineness fineness) {
        const bool core = look.role == Role::Core;
        const bool targets =
            fineness == Fineness::Exact || (fineness == Fineness::ExactCores && core);
        if (!targets) look.waits.clear();
        if (fineness == Fineness::WithoutPlace) look.place.clear();
        return look;
    }

    /// Receivers from any source wait for all but themselves: with themselves the lists are
    /// the same.
    std::size_t number_of(const Wait& wait) {
        if (wait.all || wait.targets.size() < 2) return lists_.number(wait.targets);
        const auto place = std::ranges::lower_bound(wait.targets, wait.rank);
        if (place != wait.targets.end() && *place == wait.rank) return lists_.number(wait.targets);
        std::vector<WorldRank> whole(wait.targets.begin(), place);
        whole.push_back(wait.rank);
        whole.insert(whole.end(), place, wait.targets.end());
        return lists_.number(made_.emplace_back(std::move(whole)));
    }

    /// Nodes by the numbers of lists of which one is enough to each of them.
    using Users = std::map<std::size_t, std::set<std::size_t>>;

    /// The same list of a node's ranks is followed once.
    void add_edges(FoldedGraph& graph, const std::vector<std::size_t>& node_of) const {
        std::set<std::tuple<std::size_t, std::size_t, bool>> followed;
        std::set<GraphEdge> edges;
        Users users;
        for (std::size_t i = 0; i < looks_.size(); ++i) {
            for (const auto& [list, all] : looks_[i].waits) {
                if (!all) users[list].insert(node_of[i]);
            }
        }
        const std::map<std::size_t, std::size_t> joints = add_joints(graph, node_of, users, edges);
        for (std::size_t i = 0; i < looks_.size(); ++i) {
            for (const auto& [list, all] : looks_[i].waits) {
                if (!followed.emplace(node_of[i], list, all).second) continue;
                const auto joint = joints.find(list);
                if (!all && joint != joints.end()) {
                    edges.insert({node_of[i], joint->second, true});
                    continue;
                }
                const bool alternative = !all && lists_[list].size() > 1;
                for (const WorldRank target : lists_[list]) {
                    const bool itself = alternative && target.index() == i;
                    if (known(target) && !itself) {
                        edges.insert({node_of[i], node_of[target.index()], alternative});
                    }
                }
            }
        }
        graph.edges.assign(edges.begin(), edges.end());
    }

    /// Draws a list once where that takes fewer edges; the numbers of what is drawn, by list.
    std::map<std::size_t, std::size_t> add_joints(FoldedGraph& graph,
                                                  const std::vector<std::size_t>& node_of,
                                                  const Users& users,
                                                  std::set<GraphEdge>& edges) const {
        std::map<std::size_t, std::size_t> joints;
        const auto is_core = [&](std::size_t node) { return graph.nodes[node].role == Role::Core; };
        for (const auto& [list, nodes] : users) {
            std::set<std::size_t> targets;
            for (const WorldRank target : lists_[list]) {
                if (known(target)) targets.insert(node_of[target.index()]);
            }
            if (nodes.size() * targets.size() <= nodes.size() + targets.size() ||
                nodes.size() < 2 || targets.size() < 2) {
                continue;
            }
            const std::size_t number = graph.nodes.size() + graph.any_of.size();
            joints.emplace(list, number);
            const bool core =
                std::ranges::any_of(nodes, is_core) && std::ranges::any_of(targets, is_core);
            graph.any_of.push_back({lists_[list], core});
            for (const std::size_t target : targets)
                edges.insert({number, target, true});
        }
        return joints;
    }

    std::deque<analysis::RankList> made_;  ///< those that `lists_` holds
    DistinctLists lists_;
    std::vector<Look> looks_;  ///< by rank
};

Role role_of(RankState state) {
    switch (state) {
        case RankState::Blocked:
            return Role::Blocked;
        case RankState::Running:
            return Role::Running;
        case RankState::Exited:
            return Role::Exited;
        case RankState::Unreadable:
            return Role::Unreadable;
    }
    return Role::Unreadable;
}

}  // namespace

std::string_view name_of(Role role) {
    switch (role) {
        case Role::Core:
            return "core";
        case Role::Victim:
            return "victim";
        case Role::Blocked:
            return "blocked";
        case Role::Running:
            return "running";
        case Role::Exited:
            return "exited";
        case Role::Unreadable:
            return "unreadable";
        case Role::Crashed:
            return "crashed";
    }
    return "unreadable";
}

std::vector<Role> roles_of(const model::JobSnapshot& snapshot, const analysis::Verdict& verdict) {
    std::vector<Role> roles;
    for (const model::RankSnapshot& rank : snapshot.ranks)
        roles.push_back(rank.signal ? Role::Crashed : role_of(rank.state));
    const auto set = [&roles](WorldRank rank, Role role) {
        if (rank.value >= 0 && rank.index() < roles.size()) roles[rank.index()] = role;
    };
    for (const analysis::Victim& victim : verdict.victims)
        set(victim.rank, Role::Victim);
    for (const analysis::Core& core : verdict.cores) {
        for (const WorldRank rank : core.ranks)
            set(rank, Role::Core);
    }
    return roles;
}

FoldedGraph fold_graph(const model::JobSnapshot& snapshot,
                       const analysis::Verdict& verdict,
                       std::size_t max_nodes) {
    const Folder folder(snapshot, verdict);
    FoldedGraph graph = folder.fold(Fineness::Exact);
    for (const Fineness fineness :
         {Fineness::ExactCores, Fineness::WithoutTargets, Fineness::WithoutPlace}) {
        if (graph.nodes.size() <= max_nodes) break;
        graph = folder.fold(fineness);
    }
    return graph;
}

}  // namespace mqinspect::report
