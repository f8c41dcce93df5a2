/// The wait-for graph as a drawing inside the HTML page.
#pragma once

#include <string>

#include "model/worlds.h"
#include "report/folded_graph.h"

namespace mqinspect::report {

/// An SVG element, or a paragraph that says why the graph is not drawn. Each node is an
/// element of class "node" and the name of its role, with its number in data-node; each edge of
/// class "edge", with data-from and data-to. Colours are the page's.
std::string html_graph(const model::Worlds& worlds, const FoldedGraph& graph);

}  // namespace mqinspect::report
