/// The report for programs: schema mqinspect.report/1 (docs/formats.md).
#pragma once

#include <string>

#include "analysis/deadlock.h"
#include "model/job_snapshot.h"

namespace mqinspect::report {

/// One JSON object, ending in a newline; valid UTF-8 whatever the target's names
/// are. Written straight to text, since a snapshot may hold 100,000 operations.
std::string print_json(const model::JobSnapshot& snapshot, const analysis::Verdict& verdict);

}  // namespace mqinspect::report
