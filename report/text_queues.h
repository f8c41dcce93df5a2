/// The part of the text report that lists pending operations.
#pragma once

#include "model/job_snapshot.h"
#include "report/page.h"

namespace mqinspect::report {

/// A table for each communicator that has operations. Unless `verbose`, ranks
/// whose queues are alike share rows, equal neighbours in a queue are counted,
/// long tables are cut, and the MPI library's own traffic is only counted.
void print_queues(Page& page, const model::JobSnapshot& snapshot, bool verbose);

}  // namespace mqinspect::report
