/// The findings of a recorded run for programs: docs/formats.md, `mqinspect.findings/1`.
#pragma once

#include <string>

#include "report/checked_run.h"

namespace mqinspect::report {

std::string print_findings_json(const CheckedRun& run);

}  // namespace mqinspect::report
