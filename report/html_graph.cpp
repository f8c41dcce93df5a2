#include "report/html_graph.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "report/graph_layout.h"
#include "report/html_text.h"
#include "report/rank_ranges.h"
#include "report/utf8.h"

namespace mqinspect::report {
namespace {

// The page's monospaced font takes 0.6 of its size a character, and 12 points.
constexpr double kCharWidth = 7.3;
constexpr double kLineHeight = 17;
constexpr double kPadding = 12;
constexpr double kMinWidth = 90;
constexpr std::size_t kMaxColumns = 34;
constexpr std::size_t kMaxEdges = 2000;
constexpr double kMargin = 6;
constexpr std::chrono::milliseconds kDeadline{10000};

/// What fits a box; the whole of it is in the tooltip.
std::string shortened(std::string_view text) {
    std::string safe = printable(text);
    if (columns(safe) <= kMaxColumns) return safe;
    std::size_t end = 0;
    for (std::size_t i = 0; i + 1 < kMaxColumns; ++i)
        end += decode(std::string_view(safe).substr(end)).bytes;
    return safe.substr(0, end) + "\u2026";
}

struct Box {
    std::vector<std::string> lines;
    BoxSize size;
};

Box box_of(const model::Worlds& worlds, const GraphNode& node) {
    Box box;
    box.lines.push_back(shortened(named_ranks(worlds, node.ranks)));
    if (!node.what.empty()) box.lines.push_back(shortened(node.what));
    if (!node.place.empty() && node.place != "-") box.lines.push_back(shortened(node.place));
    std::size_t widest = 0;
    for (const std::string& line : box.lines)
        widest = std::max(widest, columns(line));
    const auto count = static_cast<double>(box.lines.size());
    box.size.width = std::max(kMinWidth, static_cast<double>(widest) * kCharWidth + 2 * kPadding);
    box.size.height = count * kLineHeight + kPadding;
    return box;
}

Box box_of(const model::Worlds& worlds, const AnyOf& any_of) {
    Box box;
    box.lines.push_back(shortened("any of " + named_ranks(worlds, any_of.ranks)));
    box.size.width = static_cast<double>(columns(box.lines.front())) * kCharWidth + 3 * kPadding;
    box.size.height = kLineHeight + kPadding / 2;
    return box;
}

std::string title(const model::Worlds& worlds, const GraphNode& node) {
    std::string text = fmt::format("{} ({})", named_ranks(worlds, node.ranks), name_of(node.role));
    if (!node.what.empty()) text += ": " + node.what;
    if (!node.place.empty()) text += " at " + node.place;
    return html_text(text);
}

void print_node(std::string& out,
                const model::Worlds& worlds,
                const GraphNode& node,
                std::size_t number,
                const Box& box,
                Point center) {
    const auto to = std::back_inserter(out);
    const double left = center.x - box.size.width / 2;
    const double top = center.y - box.size.height / 2;
    const std::string name = title(worlds, node);
    fmt::format_to(to,
                   "<g class=\"node {}\" data-node=\"{}\" tabindex=\"0\" role=\"button\" "
                   "aria-label=\"{}\"><title>{}</title>",
                   name_of(node.role),
                   number,
                   name,
                   name);
    fmt::format_to(to,
                   "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"7\"/>",
                   left,
                   top,
                   box.size.width,
                   box.size.height);
    for (std::size_t i = 0; i < box.lines.size(); ++i) {
        const double y = top + kPadding / 2 + kLineHeight * (static_cast<double>(i) + 0.75);
        fmt::format_to(to,
                       "<text x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>",
                       center.x,
                       y,
                       i == 0 ? " class=\"ranks\"" : "",
                       html_text(box.lines[i]));
    }
    out += "</g>\n";
}

void print_any_of(
    std::string& out, const AnyOf& any_of, std::size_t number, const Box& box, Point center) {
    fmt::format_to(std::back_inserter(out),
                   "<g class=\"joint{}\" data-node=\"{}\"><rect x=\"{:.1f}\" y=\"{:.1f}\" "
                   "width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{:.1f}\"/><text x=\"{:.1f}\" "
                   "y=\"{:.1f}\">{}</text></g>\n",
                   any_of.in_core ? " core" : "",
                   number,
                   center.x - box.size.width / 2,
                   center.y - box.size.height / 2,
                   box.size.width,
                   box.size.height,
                   box.size.height / 2,
                   center.x,
                   center.y + kLineHeight / 4,
                   html_text(box.lines.front()));
}

void print_edge(std::string& out,
                const GraphEdge& edge,
                bool inside_core,
                const std::vector<Point>& curve) {
    const auto to = std::back_inserter(out);
    fmt::format_to(to,
                   "<path class=\"edge{}{}\" data-from=\"{}\" data-to=\"{}\" "
                   "marker-end=\"url(#{})\" d=\"M{:.1f},{:.1f}C",
                   edge.alternative ? " any" : "",
                   inside_core ? " core" : "",
                   edge.from,
                   edge.to,
                   inside_core ? "tip-core" : "tip",
                   curve[0].x,
                   curve[0].y);
    for (std::size_t i = 1; i < curve.size(); ++i)
        fmt::format_to(to, "{}{:.1f},{:.1f}", i > 1 ? " " : "", curve[i].x, curve[i].y);
    out += "\"/>\n";
}

std::string marker(std::string_view id) {
    return fmt::format(
        "<marker id=\"{}\" viewBox=\"0 0 10 10\" refX=\"9.5\" refY=\"5\" markerWidth=\"9\" "
        "markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
        "<path d=\"M0,1L10,5L0,9z\"/></marker>",
        id);
}

bool is_core(const FoldedGraph& graph, std::size_t number) {
    if (number >= graph.nodes.size()) return graph.any_of[number - graph.nodes.size()].in_core;
    return graph.nodes[number].role == Role::Core;
}

std::string drawing(const model::Worlds& worlds,
                    const FoldedGraph& graph,
                    const std::vector<Box>& boxes,
                    const GraphLayout& layout) {
    const double width = layout.size.width + 2 * kMargin;
    const double height = layout.size.height + 2 * kMargin;
    std::string out = fmt::format(
        "<svg id=\"graph\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{:.1f} {:.1f} {:.1f} "
        "{:.1f}\" width=\"{:.0f}\" height=\"{:.0f}\" role=\"group\" "
        "aria-label=\"Wait-for graph\">\n<defs>{}{}</defs>\n<g class=\"edges\">\n",
        -kMargin,
        -kMargin,
        width,
        height,
        width,
        height,
        marker("tip"),
        marker("tip-core"));
    // Two edges may join the same nodes: one of an alternative, and one that is needed.
    std::multimap<std::pair<std::size_t, std::size_t>, const GraphEdge*> edges;
    for (const GraphEdge& edge : graph.edges)
        edges.emplace(std::pair(edge.from, edge.to), &edge);
    for (std::size_t i = 0; i < layout.edges.size(); ++i) {
        const auto place = edges.find(layout.edges[i]);
        if (place == edges.end()) continue;
        const GraphEdge& edge = *place->second;
        const bool inside_core = is_core(graph, edge.from) && is_core(graph, edge.to);
        print_edge(out, edge, inside_core, layout.curves[i]);
        edges.erase(place);
    }
    out += "</g>\n<g class=\"nodes\">\n";
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        print_node(out, worlds, graph.nodes[i], i, boxes[i], layout.centers[i]);
    for (std::size_t i = 0; i < graph.any_of.size(); ++i) {
        const std::size_t number = graph.nodes.size() + i;
        print_any_of(out, graph.any_of[i], number, boxes[number], layout.centers[number]);
    }
    return out + "</g>\n</svg>\n";
}

std::string not_drawn(std::string_view why) {
    return fmt::format("<p class=\"empty\">The graph is not drawn: {}.</p>\n", html_text(why));
}

}  // namespace

std::string html_graph(const model::Worlds& worlds, const FoldedGraph& graph) {
    if (graph.edges.empty()) return not_drawn("no rank waits for another");
    if (graph.edges.size() > kMaxEdges) return not_drawn("it has too many edges");
    std::vector<Box> boxes;
    std::vector<BoxSize> sizes;
    boxes.reserve(graph.nodes.size() + graph.any_of.size());
    sizes.reserve(boxes.capacity());
    for (const GraphNode& node : graph.nodes)
        boxes.push_back(box_of(worlds, node));
    for (const AnyOf& any_of : graph.any_of)
        boxes.push_back(box_of(worlds, any_of));
    for (const Box& box : boxes)
        sizes.push_back(box.size);
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    for (const GraphEdge& edge : graph.edges)
        edges.emplace_back(edge.from, edge.to);
    const Result<GraphLayout> layout = lay_out(sizes, edges, kDeadline);
    return layout ? drawing(worlds, graph, boxes, *layout) : not_drawn(layout.error().message);
}

}  // namespace mqinspect::report
