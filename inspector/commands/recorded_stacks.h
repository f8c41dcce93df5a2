/// From the return addresses of a recorded run to functions and source lines.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "analysis/event_references.h"
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

/// --source-path, --image-path.
void add_source_options(CLI::App& command, SourceOptions& options);

/// By StackId: true for those that the findings, their calls' references, the events and the ends
/// of processes name; with `all` for all.
std::vector<bool> stacks_to_show(const model::Execution& execution,
                                 const analysis::Findings& findings,
                                 const analysis::RunProfile& profile,
                                 const analysis::EventReferences& references,
                                 bool all);

/// The wanted stacks, by StackId. Files that are not here, or have been built anew since (by
/// build-id), give no lines; of each of them a line is added to `remarks`.
std::vector<report::ResolvedStack> resolve_stacks(const model::Execution& execution,
                                                  const std::vector<bool>& wanted,
                                                  const SourceOptions& options,
                                                  std::vector<std::string>& remarks);

}  // namespace mqinspect::commands
