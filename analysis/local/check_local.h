/// The checks that need no more than one process: its requests, buffers, handles, arguments,
/// threads and its end; and one-sided communication.
#pragma once

#include "analysis/findings.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// Reads each process once; memory is bounded by what is open in the program at a time. Appends
/// what it finds: the classes I.1 to I.13 of the analyzer, leaks, invalid arguments, errors that
/// MPI returned, uses of what has been freed, calls outside MPI, thread levels, epochs and
/// conflicts of one-sided communication.
///
/// InvolvedCall::procedure is -1 for a place that is no call: where a process crashed.
void check_local(const model::Recording& recording,
                 const CheckOptions& options,
                 Findings& findings);

}  // namespace mqinspect::analysis
