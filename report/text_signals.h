/// The part of the text report that says which ranks a signal has ended, and where.
#pragma once

#include "model/job_snapshot.h"
#include "report/page.h"

namespace mqinspect::report {

/// "rank 2 received SIGSEGV (address 0x0) at heat.c:31, in relax called from main
/// (heat.c:60)"; nothing if no rank has a signal. Ranks that died alike share a line;
/// unless `verbose`, many lines are cut and paths are short.
void print_signals(Page& page, const model::JobSnapshot& snapshot, bool verbose);

}  // namespace mqinspect::report
