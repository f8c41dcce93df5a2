#include "report/dot.h"

#include <iterator>
#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "report/call_text.h"
#include "report/rank_ranges.h"
#include "report/utf8.h"

namespace mqinspect::report {
namespace {

using analysis::Wait;
using model::WorldRank;

constexpr std::size_t kRangesShown = 6;

/// Ranks that look alike in the graph.
struct Node {
    std::vector<WorldRank> ranks;
    std::string label;  ///< beneath the ranks
    std::string_view attributes;
    const Wait* wait = nullptr;  ///< null: waits for nobody
};

/// What makes two ranks one node; the core keeps apart what would hide a cycle.
struct NodeKey {
    std::string label;
    std::string_view attributes;
    std::vector<WorldRank> targets;
    bool all = true;

    friend auto operator<=>(const NodeKey&, const NodeKey&) = default;
};

/// The inside of a quoted string.
std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : printable(text)) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

std::string_view state_attributes(model::RankState state) {
    switch (state) {
        case model::RankState::Blocked:
            return "";
        case model::RankState::Running:
            return ", color=\"darkgreen\"";
        case model::RankState::Exited:
            return ", style=\"dotted\"";
        case model::RankState::Unreadable:
            return ", color=\"orange\", style=\"dashed\"";
    }
    return "";
}

class Graph {
public:
    Graph(const model::JobSnapshot& snapshot, const analysis::Verdict& verdict)
        : snapshot_(snapshot),
          waits_(snapshot.ranks.size(), nullptr),
          in_core_(snapshot.ranks.size(), false),
          node_of_(snapshot.ranks.size(), 0) {
        for (const Wait& wait : verdict.waits)
            set_wait(wait);
        for (const analysis::Core& core : verdict.cores) {
            for (const Wait& wait : core.waits)
                set_wait(wait);
            for (const WorldRank rank : core.ranks) {
                if (known(rank)) in_core_[rank.index()] = true;
            }
        }
        for (const model::RankSnapshot& rank : snapshot.ranks)
            add(rank);
    }

    std::string print(std::string_view sentence) const {
        std::string out = "digraph wait_for {\n  node [shape=\"box\"];\n";
        fmt::format_to(std::back_inserter(out), "  label={};\n", quoted(sentence));
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const Node& node = nodes_[i];
            const std::string ranks = (node.ranks.size() == 1 ? "rank " : "ranks ") +
                                      rank_ranges(node.ranks, kRangesShown);
            fmt::format_to(std::back_inserter(out),
                           "  n{} [label={}{}];\n",
                           i,
                           quoted(node.label.empty() ? ranks : ranks + ": " + node.label),
                           node.attributes);
        }
        for (std::size_t i = 0; i < nodes_.size(); ++i)
            print_edges(out, i);
        return out + "}\n";
    }

private:
    bool known(WorldRank rank) const {
        return rank.value >= 0 && rank.index() < snapshot_.ranks.size();
    }

    void set_wait(const Wait& wait) {
        if (known(wait.rank)) waits_[wait.rank.index()] = &wait;
    }

    void add(const model::RankSnapshot& rank) {
        const std::size_t number = rank.rank.index();
        const Wait* wait = waits_[number];
        NodeKey key;
        if (rank.call) {
            key.label = fmt::format(
                "{} at {}", rank.call->function, location_text(rank.call->location, false));
        } else if (rank.state == model::RankState::Running) {
            key.label = activity_text(rank, false);
        }
        key.attributes = in_core_[number]
                             ? std::string_view{", style=\"filled\", fillcolor=\"lightcoral\""}
                             : state_attributes(rank.state);
        if (wait != nullptr) {
            key.targets = wait->targets;
            key.all = wait->all;
        }
        Node node{{}, key.label, key.attributes, wait};
        const auto [place, is_new] = index_.emplace(std::move(key), nodes_.size());
        if (is_new) nodes_.push_back(std::move(node));
        nodes_[place->second].ranks.push_back(rank.rank);
        node_of_[number] = place->second;
    }

    void print_edges(std::string& out, std::size_t from) const {
        const Wait* wait = nodes_[from].wait;
        if (wait == nullptr) return;
        std::vector<bool> drawn(nodes_.size(), false);
        const bool any = !wait->all && wait->targets.size() > 1;
        for (const WorldRank target : wait->targets) {
            if (!known(target) || drawn[node_of_[target.index()]]) continue;
            drawn[node_of_[target.index()]] = true;
            fmt::format_to(std::back_inserter(out),
                           "  n{} -> n{}{};\n",
                           from,
                           node_of_[target.index()],
                           any ? " [style=\"dashed\"]" : "");
        }
    }

    const model::JobSnapshot& snapshot_;
    std::vector<const Wait*> waits_;
    std::vector<bool> in_core_;
    std::vector<std::size_t> node_of_;
    std::vector<Node> nodes_;
    std::map<NodeKey, std::size_t> index_;
};

}  // namespace

std::string print_dot(const model::JobSnapshot& snapshot, const analysis::Verdict& verdict) {
    return Graph(snapshot, verdict).print(verdict.sentence);
}

}  // namespace mqinspect::report
