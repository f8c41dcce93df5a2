/// Strongly connected components of the call graph.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "thread_level/analysis/program.h"

namespace mqinspect::thread_level {

/// Callees before callers (Tarjan's algorithm, without recursion).
std::vector<std::vector<Node>> components_of(
    Node nodes, const std::function<std::span<const CallEdge>(Node)>& calls);

}  // namespace mqinspect::thread_level
