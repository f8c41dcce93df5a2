/// The wait-for graph in Graphviz' language.
#pragma once

#include <string>

#include "analysis/deadlock.h"
#include "model/job_snapshot.h"

namespace mqinspect::report {

/// A digraph whose nodes are ranks. A solid edge is one of several waits that must
/// all end (AND), a dashed one any of which is enough (OR); ranks of a core are
/// filled. Ranks that wait alike for the same ranks share one node.
std::string print_dot(const model::JobSnapshot& snapshot, const analysis::Verdict& verdict);

}  // namespace mqinspect::report
