/// A recorded run as an OTF2 archive, for tools that draw time lines (otf2-print, python3-otf2,
/// Vampir).
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/execution.h"
#include "model/job_snapshot.h"

namespace mqinspect::trace_io {

/// Writes `folder`/traces.otf2 and what belongs to it; the folder must not exist yet. `stacks` has
/// by StackId the frames of the user's code, innermost first. The calls go to the disk as they
/// are read. What has no record in OTF2, such as the arguments of a call that has not returned,
/// goes into attributes and parameters.
Result<Done> export_otf2(const model::Recording& recording,
                         const std::vector<std::vector<model::Frame>>& stacks,
                         const std::string& folder,
                         const std::string& version);

}  // namespace mqinspect::trace_io
