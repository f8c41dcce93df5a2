/// What every subcommand of mqinspect hands back to the shell.
#pragma once

#include "analysis/deadlock.h"
#include "base/result.h"
#include "model/job_snapshot.h"

namespace mqinspect::commands {

enum class ExitCode : int {
    NothingFound = 0,
    Findings = 1,  ///< a deadlock, an error, a rejected place
    CannotDo = 2,  ///< one line on stderr: what, which rank, what to do
    Partial = 3,   ///< something was unreadable, and no finding can be excluded
};

/// Of a look at a job: Findings for every alarm; Partial where the verdict is unknown or
/// a rank could not be read.
ExitCode exit_code_of(const model::JobSnapshot& snapshot, const analysis::Verdict& verdict);

/// What a subcommand ends with: the code that it came to, or CannotDo after a complaint.
int settle(const Result<ExitCode>& result);

}  // namespace mqinspect::commands
