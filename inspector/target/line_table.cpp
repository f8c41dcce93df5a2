#include "inspector/target/line_table.h"

namespace mqinspect::target {

std::optional<model::SourceLocation> source_line(const CompileUnits& units, std::uint64_t address) {
    const Dwarf_Die* unit = units.at(address);
    if (unit == nullptr) return std::nullopt;
    Dwarf_Die die = *unit;
    Dwarf_Line* line = dwarf_getsrc_die(&die, address);
    int number = 0;
    const char* file = line == nullptr ? nullptr : dwarf_linesrc(line, nullptr, nullptr);
    if (file == nullptr || dwarf_lineno(line, &number) != 0 || number <= 0) return std::nullopt;
    return model::SourceLocation{file, number};
}

}  // namespace mqinspect::target
