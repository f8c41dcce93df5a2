/// Options that several subcommands share, and what is done with them.
#pragma once

#include <string>

#include <CLI/App.hpp>

#include "analysis/deadlock.h"
#include "base/result.h"
#include "inspector/commands/exit_code.h"
#include "inspector/commands/output.h"
#include "inspector/session/session.h"
#include "model/job_snapshot.h"

namespace mqinspect::commands {

struct ReportOptions {
    std::string format = "text";
    OutputOptions output;
    bool verbose = false;
    bool stacks = false;
};

/// Checks the text of an option or argument that is to be a pid; the complaint, or empty.
std::string pid_complaint(const std::string& text);

/// --format, -o, --color, --quiet, --stacks, --verbose.
void add_report_options(CLI::App& command, ReportOptions& options);

/// Prints the report as the options say; its exit code.
Result<ExitCode> write_report(const model::JobSnapshot& snapshot,
                              const analysis::Verdict& verdict,
                              const ReportOptions& options);

/// --internal, --dll, --types. Call `complete` after parsing.
void add_observer_options(CLI::App& command, session::SessionOptions& options);

/// These and --confirm, --ranks, --communicator.
void add_session_options(CLI::App& command, session::SessionOptions& options);

/// Fills in from the environment what the command line leaves open.
void complete(session::SessionOptions& options);

/// The ranks of a hung job poll, and leave a processor to nobody: at the ordinary
/// priority an answer takes as many times longer as there are ranks to a core. The
/// real-time class, at its lowest priority, because each rank may be a scheduling
/// group of its own (sched(7), autogroup), against which nice values count for
/// nothing. Needs a privilege (root, CAP_SYS_NICE); without it the answer is only
/// slower.
void go_before_the_ranks();

}  // namespace mqinspect::commands
