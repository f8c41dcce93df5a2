/// A recorded run in its folder, open for reading.
#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "model/execution.h"

namespace mqinspect::trace_io {

/// Newest: of each thread the last two blocks, 128 KiB, so that the end of a run of any length is
/// there at once; event numbers are as ever.
enum class Extent { Whole, Newest };

/// Reads the definitions and walks once through the records of each process, on all
/// processors. What is missing, cut, damaged or foreign is named in Execution::problems and
/// everything before it is there; fails only if nothing of a run can be read. A run that is
/// still being recorded is read as it is now.
Result<std::unique_ptr<model::Recording>> open_recording(std::string_view folder,
                                                         Extent extent = Extent::Whole);

}  // namespace mqinspect::trace_io
