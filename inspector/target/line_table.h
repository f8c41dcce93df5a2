/// Source lines of instructions.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "inspector/target/compile_units.h"
#include "model/call.h"

namespace mqinspect::target {

class LineTable {
public:
    /// `units` must outlive the object.
    explicit LineTable(const CompileUnits& units) : units_(units) {}

    /// See Image::location_at. Each answer is kept: ranks stand at few places.
    std::optional<model::SourceLocation> at(std::uint64_t address);

private:
    const CompileUnits& units_;
    std::unordered_map<std::uint64_t, std::optional<model::SourceLocation>> known_;
};

}  // namespace mqinspect::target
