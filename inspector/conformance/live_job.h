/// A job whose processes stand still while a DLL is driven against it.
#pragma once

#include <sys/types.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "inspector/conformance/debugged_job.h"

namespace mqinspect::conformance {

/// `pids`: of a launcher or of ranks, as in job::find_job. The processes are stopped
/// until the job's end. `dll` is asked once what it looks up, so that debug information
/// is searched before they are. `types`: files that lend types to a stripped MPI library, as
/// of snapshot::TypeSources. Fails where a process cannot be stopped or read.
Result<std::unique_ptr<DebuggedJob>> stop_job(std::span<const pid_t> pids,
                                              const std::string& dll,
                                              const std::vector<std::string>& types);

}  // namespace mqinspect::conformance
