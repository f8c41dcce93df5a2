/// The findings of a recorded run for a terminal.
#pragma once

#include <string>

#include "report/checked_run.h"
#include "report/text.h"

namespace mqinspect::report {

/// One sentence with its place for each finding, and below it the calls that it is about.
/// `options.verbose`: with stacks, all arguments and all processes. Ends in a newline; what
/// comes from the run is escaped.
std::string print_findings(const CheckedRun& run, const TextOptions& options);

}  // namespace mqinspect::report
