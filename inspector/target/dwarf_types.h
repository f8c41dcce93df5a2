/// Type layouts from DWARF.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <elfutils/libdw.h>

#include "inspector/target/compile_units.h"
#include "inspector/target/elf_file.h"
#include "inspector/target/image.h"

namespace mqinspect::target {

/// Finds types by name as C sees them: at the top level of any unit. Reads as few
/// units as it can: none for a name that is not among the file's strings, else
/// one unit per source directory first, and no unit twice.
class DwarfTypes {
public:
    /// `file` is the one that holds the debug information; both must outlive this.
    DwarfTypes(const ElfFile& file, const CompileUnits& units);

    /// A definition, see Image::find_type.
    std::optional<TypeLayout> find(std::string_view name);

private:
    struct Entry {
        std::optional<Dwarf_Die> definition;  // by tag
        std::optional<Dwarf_Die> alias;       // typedef or base type
    };
    std::optional<TypeLayout> find(std::string_view name, int depth);
    std::optional<TypeLayout> resolve_alias(Dwarf_Die die, std::string_view name, int depth);
    bool may_occur(std::string_view name) const;
    void order_units();
    void read_unit(Dwarf_Die unit);

    const ElfFile& file_;
    const CompileUnits& units_;
    std::vector<std::size_t> order_;
    std::size_t units_read_ = 0;
    bool inline_names_ = false;
    std::unordered_map<std::string_view, Entry> entries_;  // keys borrow from the file
};

/// Follows typedefs and qualifiers to the type that has a layout. False: void, a
/// damaged chain, or a type that is not described.
bool peel_type(Dwarf_Die& die);

/// The type that DW_AT_type of the entry, or of its origin, names.
bool type_of(Dwarf_Die die, Dwarf_Die& type);

/// How many elements DW_TAG_subrange_type says that a dimension has, from its lower bound, or
/// that of its language, on; empty if it does not say, or if that depends on the object.
std::optional<std::uint64_t> subrange_count(Dwarf_Die subrange);

/// In bytes; empty for incomplete types and arrays without a bound.
std::optional<std::uint64_t> type_size(Dwarf_Die type);

}  // namespace mqinspect::target
