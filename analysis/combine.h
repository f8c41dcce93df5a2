/// From all that the checks have found to one report for each cause.
#pragma once

#include <functional>

#include "analysis/findings.h"

namespace mqinspect::analysis {

/// Moves findings that follow from others into those as consequences. The minimum of diagnostics
/// that the analyzer of correctness strives for (see findings.h).
void attach_consequences(Findings& findings);

/// Makes findings of one class, at the same call sites in the same parts, one.
void merge_equal(Findings& findings);

/// For findings of a class a number that is the same for stacks that are as good as equal.
using PlaceOf = std::function<int(FindingClass, model::StackId)>;
/// The same with places in the stead of stacks.
void merge_equal(Findings& findings, const PlaceOf& place_of);

/// By severity, then by the number of the first call's event and its process.
void sort_by_severity(Findings& findings);

}  // namespace mqinspect::analysis
