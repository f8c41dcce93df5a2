/// The part of the text report that lists windows of one-sided communication.
#pragma once

#include "model/job_snapshot.h"
#include "report/page.h"

namespace mqinspect::report {

/// A table for each window; nothing if there are none. Unless `verbose`, ranks whose
/// parts are alike share rows, and long tables are cut.
void print_windows(Page& page, const model::JobSnapshot& snapshot, bool verbose);

}  // namespace mqinspect::report
