/// The report for a terminal: one sentence first, the evidence after.
#pragma once

#include <string>

#include "analysis/deadlock.h"
#include "model/job_snapshot.h"

namespace mqinspect::report {

struct TextOptions {
    bool color = false;
    /// Nothing is folded or left out: every queue entry with its request and the
    /// DLL's extra text, every call with all arguments, full paths.
    bool verbose = false;
    bool show_queues = true;
    bool show_stacks = false;
    /// Columns of the terminal; lines are wrapped to fit, never below 60.
    int width = 100;
};

/// The whole report, ending in a newline. The only control characters in it are
/// newlines and, with `color`, the escape sequences of colours: what comes from
/// the target is escaped. Ranks that are alike share one row.
std::string print_text(const model::JobSnapshot& snapshot,
                       const analysis::Verdict& verdict,
                       const TextOptions& options);

}  // namespace mqinspect::report
