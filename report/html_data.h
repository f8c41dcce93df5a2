/// What the script of the HTML page works on: rows of its tables, as compact JSON.
#pragma once

#include <string>

#include "analysis/deadlock.h"
#include "model/job_snapshot.h"
#include "report/folded_graph.h"

namespace mqinspect::report {

/// An object; report/page/page.js is its only reader. Texts that repeat are in "strings"
/// and elsewhere their number. All of them are printable().
std::string html_data(const model::JobSnapshot& snapshot,
                      const analysis::Verdict& verdict,
                      const FoldedGraph& graph);

}  // namespace mqinspect::report
