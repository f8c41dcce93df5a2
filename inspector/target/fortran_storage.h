/// How far the memory of a Fortran variable goes that is an argument.
///
/// An argument may go on behind what it names: a dummy stands for whatever the caller has there
/// (sequence association), COMMON and EQUIVALENCE put variables behind and upon each other.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <elfutils/libdw.h>

#include "inspector/target/expression_syntax.h"
#include "inspector/target/process_view.h"
#include "inspector/target/value_type.h"

namespace mqinspect::target {

/// True: the variable has memory of its own at this instruction, as long as its type, and nothing
/// else that is declared there shares it. False for dummies, COMMON, EQUIVALENCE, results of
/// functions, pointers of the Cray kind, and for what is not sure.
bool has_own_storage(const Module& module, std::uint64_t linked_address, Dwarf_Die variable);

/// The distance in bytes between the begin of an array and that of an element, or of a section
/// that begins there. Empty: it is not constant, or none of the array's.
std::optional<std::uint64_t> offset_in_array(const ValueType& array,
                                             std::span<const Expression> subscripts);

}  // namespace mqinspect::target
