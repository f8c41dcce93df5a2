/// The words for two accesses to a window that nothing orders.
#pragma once

#include "analysis/local/reporter.h"
#include "analysis/local/target_accesses.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// Its call, or place, and what it does.
Involved involved(const TargetAccess& access);

/// To the memory of the process `target`; `made` was seen after `other`.
void report_conflict(const model::Execution& execution,
                     const TargetAccess& made,
                     const TargetAccess& other,
                     model::ProcessId target,
                     Reporter& reporter);

}  // namespace mqinspect::analysis
