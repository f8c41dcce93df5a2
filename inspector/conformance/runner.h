/// Scenarios, each in a helper process of its own: a DLL that crashes has a finding.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "inspector/conformance/debugged_job.h"
#include "inspector/conformance/journal.h"
#include "inspector/conformance/scenarios.h"

namespace mqinspect::conformance {

struct Outcome {
    const Scenario* scenario = nullptr;
    Findings findings;
};

struct RunnerOptions {
    /// For one call into the DLL; then the helper is killed, and that is a finding.
    std::chrono::milliseconds patience = std::chrono::seconds(10);
};

/// Runs one scenario. Fails with System where no helper can be started, and with
/// InvalidArgument where the DLL cannot be loaded or lacks a function that every debugger
/// calls.
Result<Outcome> run(const Scenario& scenario,
                    const std::string& dll,
                    const DebuggedJob& job,
                    const RunnerOptions& options);

/// Runs those with the names, or all if there are none, in their order. A debugger of the
/// MPI-1 level must not load a DLL of level 3, and is then left out.
Result<std::vector<Outcome>> run_all(std::span<const std::string> names,
                                     const std::string& dll,
                                     const DebuggedJob& job,
                                     const RunnerOptions& options);

}  // namespace mqinspect::conformance
