/// Source lines of instructions.
#pragma once

#include <cstdint>
#include <optional>

#include "inspector/target/compile_units.h"
#include "model/call.h"

namespace mqinspect::target {

/// See Image::location_at.
std::optional<model::SourceLocation> source_line(const CompileUnits& units, std::uint64_t address);

}  // namespace mqinspect::target
