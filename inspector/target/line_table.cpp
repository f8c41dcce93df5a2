#include "inspector/target/line_table.h"

#include <filesystem>
#include <string>

#include <dwarf.h>

namespace mqinspect::target {

namespace {

/// A file that the compiler was given by a relative name lies below the folder that it
/// ran in.
std::string path_of(Dwarf_Die& unit, const char* file) {
    if (*file == '/') return file;
    Dwarf_Attribute attribute;
    const char* folder = dwarf_formstring(dwarf_attr(&unit, DW_AT_comp_dir, &attribute));
    if (folder == nullptr || *folder != '/') return file;
    return (std::filesystem::path(folder) / file).lexically_normal().string();
}

}  // namespace

std::optional<model::SourceLocation> source_line(const CompileUnits& units, std::uint64_t address) {
    const Dwarf_Die* unit = units.at(address);
    if (unit == nullptr) return std::nullopt;
    Dwarf_Die die = *unit;
    Dwarf_Line* line = dwarf_getsrc_die(&die, address);
    int number = 0;
    const char* file = line == nullptr ? nullptr : dwarf_linesrc(line, nullptr, nullptr);
    if (file == nullptr || dwarf_lineno(line, &number) != 0 || number <= 0) return std::nullopt;
    return model::SourceLocation{path_of(die, file), number};
}

}  // namespace mqinspect::target
