/// The variables that can be seen from one place in the code.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <elfutils/libdw.h>

#include "inspector/target/process_view.h"

namespace mqinspect::target {

struct LocalVariable {
    std::string_view name;
    Dwarf_Die die{};
    bool is_parameter = false;
    /// Made by the compiler, such as the length of a Fortran string.
    bool is_hidden = false;
    bool is_in_common = false;  ///< Fortran's COMMON
    /// The inlined function that it belongs to; empty: the function itself.
    std::string_view inlined;
};

/// Of all scopes that hold the instruction, innermost first; parameters before the variables of
/// the same scope, COMMON blocks included. A name that an inner scope has comes again.
std::vector<LocalVariable> visible_variables(const Module& module, std::uint64_t linked_address);

/// A variable of a Fortran module that one of the scopes uses.
std::optional<Dwarf_Die> used_variable(const Module& module,
                                       std::uint64_t linked_address,
                                       std::string_view name);

/// Whether the code at the instruction was written in Fortran.
bool is_fortran_at(const Module& module, std::uint64_t linked_address);

}  // namespace mqinspect::target
