/// All that is known of a recorded run, in the tables of the analyzer of correctness.
#pragma once

#include <string>

#include "report/checked_run.h"

namespace mqinspect::report {

/// The protocol of the analyzer (see analysis/findings.h) under its headings: the state of the
/// task, source code points of the errors, the state of each process, calls, communicators.
std::string print_protocol(const CheckedRun& run);

/// The part between the state of processes and the calls: each error with the calls that it is
/// about, then deadlocks and hang-ups, the real ones first.
std::string print_protocol_errors(const CheckedRun& run);

/// "file.c(34)", or where in which file of machine code.
std::string protocol_place(const CheckedRun& run, model::StackId stack);
/// "Errors" and a line of '=' below it.
std::string protocol_heading(const std::string& text);

}  // namespace mqinspect::report
