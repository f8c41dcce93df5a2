/// The names that one image defines outside of functions.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <elfutils/libdw.h>

#include "inspector/target/compile_units.h"
#include "inspector/target/process_view.h"
#include "inspector/target/value_type.h"

namespace mqinspect::target {

/// Variables, enumerators and types at the top level of all units and in namespaces and
/// Fortran modules, by their own name and by their qualified one ("params::nsteps"). Read
/// as a whole at the first question. Names borrow from the debug information.
class NameIndex {
public:
    /// `units` must outlive the object.
    explicit NameIndex(const CompileUnits& units);

    enum class Kind { Variable, Enumerator, Type };
    /// A definition; among several one of the unit that holds the address as linked,
    /// else the first.
    std::optional<Dwarf_Die> find(Kind kind, std::string_view name, std::uint64_t address) const;

private:
    struct Entry {
        Kind kind = Kind::Variable;
        std::size_t unit = 0;
        Dwarf_Die die{};
    };
    void read(Dwarf_Die parent, const std::string& prefix, int depth);
    void add(Kind kind, std::string_view name, const std::string& prefix, Dwarf_Die die);
    void put(std::string_view name, const Entry& entry);
    void add_variable(Dwarf_Die die, const std::string& prefix);
    void declare_members(Dwarf_Die type, const std::string& prefix);

    const CompileUnits& units_;
    std::size_t unit_ = 0;
    std::size_t entries_read_ = 0;
    std::deque<std::string> qualified_;
    /// Prefixes of variables that namespaces and classes only declare, by entry.
    std::unordered_map<void*, std::string> declared_;
    bool cpp_ = false;  ///< the unit at hand is in C++
    std::unordered_map<std::string_view, std::vector<Entry>> entries_;
};

/// A definition and the module that has it.
struct FoundEntry {
    const Module* module = nullptr;
    Dwarf_Die die{};
};

/// Looks in the module of the frame, its own unit first, then in all others. In the MPI
/// library only variables that it has symbols for are looked for: its debug information
/// is large.
std::optional<FoundEntry> find_definition(const ProcessView& view,
                                          const Module* own,
                                          std::uint64_t linked_address,
                                          NameIndex::Kind kind,
                                          std::string_view name);

/// The definition of a named type, looked for in `own` first.
std::optional<ValueType> find_type_entry(const ProcessView& view,
                                         const Module& own,
                                         std::string_view name);

}  // namespace mqinspect::target
