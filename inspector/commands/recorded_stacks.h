/// From the return addresses of a recorded run to functions and source lines.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/findings.h"
#include "analysis/run_profile.h"
#include "model/execution.h"
#include "report/checked_run.h"

namespace mqinspect::commands {

struct SourceOptions {
    /// Folders in which sources are looked for that are not where they were compiled.
    std::vector<std::string> source_paths;
    /// Folders in which programs and libraries are looked for that have moved.
    std::vector<std::string> image_paths;
};

/// The stacks that the findings, the events and the ends of processes name, by StackId. Files
/// that are not here, or have been built anew since (by build-id), give no lines; of each of
/// them a line is added to `remarks`.
std::vector<report::ResolvedStack> resolve_stacks(const model::Execution& execution,
                                                  const analysis::Findings& findings,
                                                  const analysis::RunProfile& profile,
                                                  const SourceOptions& options,
                                                  std::vector<std::string>& remarks);

}  // namespace mqinspect::commands
