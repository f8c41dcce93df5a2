/// The member "windows" of the JSON report.
#pragma once

#include <span>

#include "model/window.h"
#include "report/json_writer.h"

namespace mqinspect::report {

/// One object for each rank's part of each window (docs/formats.md).
void windows_member(JsonWriter& json, std::span<const model::Window> windows);

}  // namespace mqinspect::report
