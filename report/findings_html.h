/// The findings of a recorded run as one HTML page that needs no network.
#pragma once

#include <string>

#include "report/checked_run.h"

namespace mqinspect::report {

/// A list of findings to filter, with the calls of all ranks and the source lines around them,
/// and tables of the run. The lines are read as those of the text report.
std::string print_findings_html(const CheckedRun& run);

}  // namespace mqinspect::report
