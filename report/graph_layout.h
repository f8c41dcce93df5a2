/// Where the boxes and lines of a graph go, worked out by Graphviz.
///
/// By its program `dot`, in a process of its own: docs/decisions/graphviz-as-a-program.md.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace mqinspect::report {

/// In points (1/72 inch); y grows downwards.
struct Point {
    double x = 0;
    double y = 0;
};

struct BoxSize {
    double width = 0;
    double height = 0;
};

struct GraphLayout {
    BoxSize size;
    std::vector<Point> centers;  ///< by node
    /// From node to node, in Graphviz's order.
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    /// By edge: 3n+1 points of a Bezier curve from the border of one box to that of the other.
    std::vector<std::vector<Point>> curves;
};

/// Nodes by size, edges by the numbers of their nodes. Fails if there is no `dot`, or if it
/// takes longer than `deadline`.
Result<GraphLayout> lay_out(std::span<const BoxSize> nodes,
                            std::span<const std::pair<std::size_t, std::size_t>> edges,
                            std::chrono::milliseconds deadline);

/// Reads Graphviz's format "plain" (its manual, Output Formats). CorruptData unless it has
/// so many edges, and the nodes n0, n1, ...
Result<GraphLayout> parse_plain(std::string_view text, std::size_t nodes, std::size_t edges);

}  // namespace mqinspect::report
