#include "report/dot.h"

#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "model/worlds.h"
#include "report/folded_graph.h"
#include "report/rank_ranges.h"
#include "report/utf8.h"

namespace mqinspect::report {
namespace {

/// A string of the language, with its quotes.
std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : printable(text)) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

std::string_view attributes(Role role) {
    switch (role) {
        case Role::Core:
            return ", style=\"filled\", fillcolor=\"lightcoral\"";
        case Role::Victim:
        case Role::Blocked:
            return "";
        case Role::Running:
            return ", color=\"darkgreen\"";
        case Role::Exited:
            return ", style=\"dotted\"";
        case Role::Unreadable:
            return ", color=\"orange\", style=\"dashed\"";
        case Role::Crashed:
            return ", color=\"red\", shape=\"octagon\"";
    }
    return "";
}

std::string label(const model::Worlds& worlds, const GraphNode& node) {
    std::string text = named_ranks(worlds, node.ranks);
    if (!node.what.empty()) text += ": " + node.what;
    if (!node.place.empty()) text += " at " + node.place;
    return text;
}

}  // namespace

std::string print_dot(const model::JobSnapshot& snapshot, const analysis::Verdict& verdict) {
    const model::Worlds worlds(snapshot);
    const FoldedGraph graph = fold_graph(snapshot, verdict);
    std::string out = "digraph wait_for {\n  node [shape=\"box\"];\n";
    const auto line = std::back_inserter(out);
    fmt::format_to(line, "  label={};\n", quoted(verdict.sentence));
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const GraphNode& node = graph.nodes[i];
        const std::string text = quoted(label(worlds, node));
        fmt::format_to(line, "  n{} [label={}{}];\n", i, text, attributes(node.role));
    }
    for (std::size_t i = 0; i < graph.any_of.size(); ++i) {
        const std::string text = quoted("any of " + named_ranks(worlds, graph.any_of[i].ranks));
        fmt::format_to(line,
                       "  n{} [label={}, shape=\"ellipse\", style=\"dashed\"];\n",
                       graph.nodes.size() + i,
                       text);
    }
    for (const GraphEdge& edge : graph.edges) {
        const std::string_view style = edge.alternative ? " [style=\"dashed\"]" : "";
        fmt::format_to(line, "  n{} -> n{}{};\n", edge.from, edge.to, style);
    }
    return out + "}\n";
}

}  // namespace mqinspect::report
