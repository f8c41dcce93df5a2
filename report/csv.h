/// The pending operations as a table for spreadsheets and data frames.
#pragma once

#include <string>

#include "model/job_snapshot.h"

namespace mqinspect::report {

/// RFC 4180: a line of names, then one for each operation, in the order of the snapshot,
/// with the fields of the JSON report. Unknown is empty. Every row is one line, whatever
/// the target's names hold, and no text begins like a formula.
std::string print_csv(const model::JobSnapshot& snapshot);

}  // namespace mqinspect::report
