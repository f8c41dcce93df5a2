/// The findings of a recorded run for code hosts and editors: SARIF 2.1.0 (OASIS).
#pragma once

#include <string>

#include "report/checked_run.h"

namespace mqinspect::report {

/// Files below `source_root` are named relative to it, as code hosts want it; empty: none.
std::string print_findings_sarif(const CheckedRun& run, const std::string& source_root);

}  // namespace mqinspect::report
