#include "report/dot.h"

#include <iterator>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "report/call_text.h"
#include "report/distinct_lists.h"
#include "report/rank_ranges.h"
#include "report/utf8.h"

namespace mqinspect::report {
namespace {

using analysis::Wait;
using model::WorldRank;

/// What makes two ranks one node.
struct Look {
    std::string label;  ///< beside the ranks
    std::string_view attributes;
    /// Numbers of lists of targets, and whether all of each are needed.
    std::vector<std::pair<std::size_t, bool>> waits;

    friend bool operator<(const Look& left, const Look& right) {
        return std::tie(left.label, left.attributes, left.waits) <
               std::tie(right.label, right.attributes, right.waits);
    }
};

struct Node {
    Look look;
    std::vector<WorldRank> ranks;
};

/// A string of the language, with its quotes.
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
        : worlds_(snapshot),
          looks_of_rank_(snapshot.ranks.size()),
          node_of_(snapshot.ranks.size(), 0) {
        for (const Wait& wait : verdict.waits) {
            if (!known(wait.rank)) continue;
            looks_of_rank_[wait.rank.index()].waits.emplace_back(lists_.number(wait.targets),
                                                                 wait.all);
        }
        for (const model::RankSnapshot& rank : snapshot.ranks)
            describe(rank);
        for (const analysis::Core& core : verdict.cores) {
            for (const WorldRank rank : core.ranks) {
                if (known(rank)) looks_of_rank_[rank.index()].attributes = kCoreAttributes;
            }
        }
        for (const model::RankSnapshot& rank : snapshot.ranks)
            add(rank.rank);
    }

    std::string print(std::string_view sentence) const {
        std::string out = "digraph wait_for {\n  node [shape=\"box\"];\n";
        fmt::format_to(std::back_inserter(out), "  label={};\n", quoted(sentence));
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const std::string& label = nodes_[i].look.label;
            const std::string ranks = named_ranks(worlds_, nodes_[i].ranks);
            fmt::format_to(std::back_inserter(out),
                           "  n{} [label={}{}];\n",
                           i,
                           quoted(label.empty() ? ranks : fmt::format("{}: {}", ranks, label)),
                           nodes_[i].look.attributes);
        }
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            for (const auto& [list, all] : nodes_[i].look.waits)
                print_edges(out, i, list, all);
        }
        return out + "}\n";
    }

private:
    static constexpr std::string_view kCoreAttributes =
        ", style=\"filled\", fillcolor=\"lightcoral\"";

    static constexpr std::string_view kSignalAttributes = ", color=\"red\", shape=\"octagon\"";

    bool known(WorldRank rank) const {
        return rank.value >= 0 && rank.index() < looks_of_rank_.size();
    }

    void describe(const model::RankSnapshot& rank) {
        Look& look = looks_of_rank_[rank.rank.index()];
        look.attributes = rank.signal ? kSignalAttributes : state_attributes(rank.state);
        if (rank.call) {
            look.label = fmt::format(
                "{} at {}", rank.call->function, location_text(rank.call->location, false));
        } else if (rank.state == model::RankState::Running) {
            look.label = activity_text(rank, false);
        }
        if (rank.signal) {
            look.label = rank.signal->name + (look.label.empty() ? "" : " in " + look.label);
        }
    }

    void add(WorldRank rank) {
        const Look& look = looks_of_rank_[rank.index()];
        const auto [place, is_new] = numbers_.emplace(look, nodes_.size());
        if (is_new) nodes_.push_back({look, {}});
        nodes_[place->second].ranks.push_back(rank);
        node_of_[rank.index()] = place->second;
    }

    void print_edges(std::string& out, std::size_t from, std::size_t list, bool all) const {
        std::vector<bool> drawn(nodes_.size(), false);
        const bool alternative = !all && lists_[list].size() > 1;
        for (const WorldRank target : lists_[list]) {
            if (!known(target) || drawn[node_of_[target.index()]]) continue;
            drawn[node_of_[target.index()]] = true;
            fmt::format_to(std::back_inserter(out),
                           "  n{} -> n{}{};\n",
                           from,
                           node_of_[target.index()],
                           alternative ? " [style=\"dashed\"]" : "");
        }
    }

    DistinctLists lists_;
    model::Worlds worlds_;
    std::vector<Look> looks_of_rank_;
    std::vector<std::size_t> node_of_;  ///< by rank
    std::vector<Node> nodes_;
    std::map<Look, std::size_t> numbers_;  ///< into nodes_
};

}  // namespace

std::string print_dot(const model::JobSnapshot& snapshot, const analysis::Verdict& verdict) {
    return Graph(snapshot, verdict).print(verdict.sentence);
}

}  // namespace mqinspect::report
