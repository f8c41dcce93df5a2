/// The report as one HTML file that needs nothing else: no network, no server.
#pragma once

#include <string>

#include "analysis/deadlock.h"
#include "model/job_snapshot.h"

namespace mqinspect::report {

/// The whole page. Verdict, problems and the drawn graph are in the markup; tables, stacks
/// and source lines are data that the page's own script shows. A content security
/// policy forbids it to load anything. Reads source files and runs Graphviz; does without what
/// is not there.
std::string print_html(const model::JobSnapshot& snapshot, const analysis::Verdict& verdict);

}  // namespace mqinspect::report
