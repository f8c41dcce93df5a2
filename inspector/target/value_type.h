/// Types of values in a target: those of its debug information, and those made from
/// them by taking addresses and slices.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <elfutils/libdw.h>

#include "inspector/target/process_view.h"

namespace mqinspect::target {

enum class TypeKind {
    Void,
    Integer,
    Boolean,
    Character,  ///< one byte; wider characters are integers
    Float,
    Complex,
    Pointer,
    Reference,
    MemberPointer,
    Enumeration,
    Structure,  ///< struct, class, union
    Array,
    String,  ///< Fortran's character type
    Function,
    Unknown,
};

/// A type that needs no debug information: of literals and of results.
struct BasicType {
    std::string_view name;
    std::uint64_t size = 0;
    TypeKind kind = TypeKind::Void;
    bool is_signed = false;
};

/// By its C name, such as "unsigned long"; null: there is none of this name.
const BasicType* basic_type(std::string_view name);

/// One step from a type to another: a pointer to it, or an array of it.
struct TypeStep {
    bool is_pointer = true;
    std::int64_t lower = 0;              ///< subscript of the first element
    std::optional<std::uint64_t> count;  ///< empty: no bound is known
    std::int64_t stride = 0;             ///< bytes from one element to the next
};

struct ValueType {
    const Module* module = nullptr;  ///< whose debug information holds `die`
    std::optional<Dwarf_Die> die;    ///< neither this nor `basic`: void
    const BasicType* basic = nullptr;
    std::vector<TypeStep> steps;  ///< the last is the outermost
};

/// What a type is behind its typedefs and qualifiers.
struct TypeShape {
    TypeKind kind = TypeKind::Unknown;
    bool is_signed = false;
    std::optional<std::uint64_t> size;  ///< empty: none, or it depends on the object
    std::optional<Dwarf_Die> die;       ///< peeled; empty where a step is outermost
};

ValueType made_of(const BasicType& basic);
/// The type that DW_AT_type of the entry names; void if there is none.
ValueType type_of_entry(const Module& module, Dwarf_Die entry);
TypeShape shape_of(const ValueType& type);
/// What a pointer or reference points to, an array consists of, an enumeration is
/// stored as; void for others.
ValueType target_of(const ValueType& type);
ValueType pointer_to(ValueType type);

/// As C writes it: "double [3][4]", "const char *".
std::string type_name(const ValueType& type);

/// In a Fortran unit: subscripts start at 1 and vary fastest at the left.
bool is_fortran(Dwarf_Die entry);

/// The children of an entry, as many as a sane file has; stops where `visit` returns false.
void for_each_child(Dwarf_Die parent, const std::function<bool(Dwarf_Die)>& visit);

std::string_view entry_name(Dwarf_Die entry);
std::optional<std::uint64_t> unsigned_attribute(Dwarf_Die entry, unsigned attribute);
std::optional<std::int64_t> signed_attribute(Dwarf_Die entry, unsigned attribute);
bool flag_attribute(Dwarf_Die entry, unsigned attribute);

}  // namespace mqinspect::target
