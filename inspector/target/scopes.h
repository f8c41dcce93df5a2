/// Functions, blocks and variables of one image by instruction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <elfutils/libdw.h>

#include "inspector/target/compile_units.h"

namespace mqinspect::target {

/// Where one variable lives at one instruction.
struct VariableSite {
    bool is_parameter = false;
    std::string type;
    std::optional<std::uint64_t> size;
    /// Its location there, in operations that the Dwarf owns; empty if it has
    /// none.
    Dwarf_Attribute attribute{};
    std::span<const Dwarf_Op> location;
    /// DW_AT_const_value instead of a location.
    std::vector<std::byte> constant;
};

/// Where the variable or parameter lives at the instruction.
VariableSite variable_site(Dwarf_Die die, std::uint64_t address);

/// A call site of optimised code: what the caller knows of the arguments.
struct CallSite {
    Dwarf_Die die{};
    struct Argument {
        std::uint64_t dwarf_register = 0;
        Dwarf_Attribute attribute{};
        std::span<const Dwarf_Op> value;
    };
    std::vector<Argument> arguments;
};

/// Answers are kept, so that ranks at the same place cost no search. All
/// addresses are as linked.
class ScopeIndex {
public:
    /// `units` must outlive the object.
    explicit ScopeIndex(const CompileUnits& units) : units_(units) {}

    /// The scopes that hold the instruction: blocks and inlined calls, innermost
    /// first, the function last. Empty if nothing is known.
    const std::vector<Dwarf_Die>& at(std::uint64_t address);
    /// The function's parameter of this name, else the innermost variable or
    /// parameter of an inlined call; null if there is none.
    const VariableSite* variable(std::uint64_t address, std::string_view name);
    /// The frame base of the function at the instruction.
    const VariableSite* frame_base(std::uint64_t address);
    /// The call that returns to this address, null if it is not described.
    const CallSite* call_site(std::uint64_t return_address);

private:
    struct Place {
        std::vector<Dwarf_Die> scopes;
        std::unordered_map<std::string, std::optional<VariableSite>> variables;
        std::optional<VariableSite> frame_base;
        bool frame_base_read = false;
    };
    Place& place(std::uint64_t address);

    const CompileUnits& units_;
    std::unordered_map<std::uint64_t, Place> places_;
    std::unordered_map<std::uint64_t, std::optional<CallSite>> call_sites_;
};

/// The entry that DW_AT_abstract_origin or DW_AT_specification names, if any.
std::optional<Dwarf_Die> origin_of(Dwarf_Die die);

/// The parameters of a function, of the concrete entry or of its origin.
std::vector<std::string> parameters_of(Dwarf_Die function);

}  // namespace mqinspect::target
