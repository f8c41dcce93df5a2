/// Findings whose calls stand at the same lines, although the machine code has several of them.
#pragma once

#include <vector>

#include "analysis/findings.h"
#include "report/checked_run.h"

namespace mqinspect::report {

/// Makes them one. Compilers copy calls, into loops that they unroll and functions that they
/// inline: stacks are equal if their functions and lines are. Of leaks, it is enough that the call
/// and the functions around it are the same: what several lines of a function have had made by
/// another one, and nobody frees. What happens at one place through several callers is one, too,
/// and says which they are.
void merge_same_places(analysis::Findings& findings, const std::vector<ResolvedStack>& stacks);

}  // namespace mqinspect::report
