/// Source lines of instructions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <elfutils/libdw.h>

#include "inspector/target/compile_units.h"
#include "model/call.h"

namespace mqinspect::target {

/// See Image::location_at.
std::optional<model::SourceLocation> source_line(const CompileUnits& units, std::uint64_t address);

/// See Image::inlined_calls. `scopes`: those that hold the instruction, innermost first.
std::vector<model::SourceLocation> inlined_calls(std::span<const Dwarf_Die> scopes);

}  // namespace mqinspect::target
