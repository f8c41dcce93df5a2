#include "inspector/target/line_table.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>

#include <climits>
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

/// 0: there is none.
std::size_t number_of(Dwarf_Die& die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word number = 0;
    const bool known = dwarf_formudata(dwarf_attr(&die, name, &attribute), &number) == 0;
    return known && number <= INT_MAX ? number : 0;
}

/// Where the call is whose body has been put in its place.
std::optional<model::SourceLocation> inlined_call(Dwarf_Die scope) {
    Dwarf_Die unit;
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    if (dwarf_diecu(&scope, &unit, nullptr, nullptr) == nullptr ||
        dwarf_getsrcfiles(&unit, &files, &count) != 0)
        return std::nullopt;
    const std::size_t number = number_of(scope, DW_AT_call_file);
    const std::size_t line = number_of(scope, DW_AT_call_line);
    const char* const file =
        number < count ? dwarf_filesrc(files, number, nullptr, nullptr) : nullptr;
    if (file == nullptr || line == 0) return std::nullopt;
    return model::SourceLocation{path_of(unit, file), static_cast<int>(line)};
}

}  // namespace

std::vector<model::SourceLocation> inlined_calls(std::span<const Dwarf_Die> scopes) {
    std::vector<model::SourceLocation> calls;
    for (Dwarf_Die scope : scopes) {
        if (dwarf_tag(&scope) != DW_TAG_inlined_subroutine) continue;
        if (auto call = inlined_call(scope)) calls.push_back(std::move(*call));
    }
    return calls;
}

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
