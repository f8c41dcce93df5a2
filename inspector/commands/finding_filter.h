/// Findings that the user does not want to see: by rules, or because they are known.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "report/checked_run.h"

namespace mqinspect::commands {

/// A line of a file of suppressions: CLASS [FUNCTION [FILE[:LINE]]]. CLASS as the JSON report
/// has it; FUNCTION is the MPI procedure; FILE the last part of the path, or more of it. Each
/// may have the wildcards of fnmatch(3).
struct Suppression {
    std::string finding_class;
    std::string procedure = "*";
    std::string file = "*";
    int line = 0;  ///< 0: any
};

/// Empty lines and those that begin with '#' do not count.
Result<std::vector<Suppression>> read_suppressions(const std::string& path);

/// True if one call of the finding is what a rule names.
bool is_suppressed(const report::CheckedRun& run,
                   const analysis::Finding& finding,
                   const std::vector<Suppression>& suppressions);

/// The fingerprints of a report that was written with --format json or sarif before, each as
/// often as it is there.
Result<std::vector<std::string>> read_baseline(const std::string& path);

struct FilterOptions {
    std::string suppressions;  ///< a file; empty: none
    std::string baseline;      ///< a file; empty: none
};

struct Filtered {
    analysis::Findings findings;
    std::size_t suppressed = 0;
    std::size_t known = 0;
};

/// The findings of `run` that are left.
Result<Filtered> filter(const report::CheckedRun& run, const FilterOptions& options);

}  // namespace mqinspect::commands
