/// From all that the checks have found to one report for each cause.
#pragma once

#include "analysis/findings.h"

namespace mqinspect::analysis {

/// Moves findings that follow from others into those as consequences. The minimum of diagnostics
/// that the analyzer of correctness strives for (see findings.h).
void attach_consequences(Findings& findings);

/// By severity, then by the number of the first call's event and its process.
void sort_by_severity(Findings& findings);

}  // namespace mqinspect::analysis
