/// Messages and collective operations between processes: what has no partner, and what does
/// not fit its partner. Classes II.1 to II.12, and DifferentCollectives.
#pragma once

#include "analysis/findings.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// Reads the run once, in memory that grows with what is open in it.
void check_pairing(const model::Recording& recording,
                   const CheckOptions& options,
                   Findings& findings);

}  // namespace mqinspect::analysis
