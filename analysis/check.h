/// The correctness analysis of a recorded run.
#pragma once

#include "analysis/findings.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// All that is wrong in the run, each cause once: what follows from a cause is among its
/// consequences, and equal findings of the same call sites are one. Ordered by severity, then
/// by the number of the first call's event.
Findings check(const model::Recording& recording, const CheckOptions& options);

}  // namespace mqinspect::analysis
