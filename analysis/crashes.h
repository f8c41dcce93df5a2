/// Ranks that a signal has ended: which of them are the cause, and what is said of them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/job_index.h"
#include "model/job_snapshot.h"

namespace mqinspect::analysis {

/// By rank: the signal ends it while the job is, or was, under way, so that whoever waits
/// for it waits in vain. A launcher ends the other ranks after the first has died, and a
/// batch system ends them all: a signal from outside is a consequence if another rank has
/// died of its own doing, or if every rank that could be looked at has a signal. Such a
/// rank counts as what it was when the signal came.
std::vector<bool> find_crashed(const model::JobSnapshot& snapshot);

/// "Rank 2 crashed: SIGSEGV at heat.c:31."; empty if no rank has crashed.
std::string crashes_text(const JobIndex& index);
/// "Ranks 0 and 1 were ended from outside by SIGTERM.": the signals that are no cause.
std::string ended_text(const JobIndex& index);

}  // namespace mqinspect::analysis
