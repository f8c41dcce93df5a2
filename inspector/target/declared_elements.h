/// The numbers and pointers that a declared type consists of.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "inspector/target/value_type.h"
#include "model/declared_buffer.h"

namespace mqinspect::target {

/// In bytes; empty: incomplete, or it depends on the object.
std::optional<std::uint64_t> declared_size(const ValueType& type);

/// Arrays of debug information as steps, as far as their bounds are constants.
ValueType with_dimensions(const ValueType& type);

/// An array of which a descriptor is what is there, such as an allocatable one of Fortran: its
/// elements are elsewhere.
bool has_descriptor(const ValueType& array);

/// What the elements of an array are, of whichever number of dimensions; other types themselves.
ValueType innermost_element(const ValueType& type);

/// A member, also of base classes and of unnamed structures and unions in it.
struct DeclaredMember {
    ValueType type;
    std::uint64_t offset = 0;
};
std::optional<DeclaredMember> declared_member(const ValueType& structure, std::string_view name);

/// Ascending and without overlaps; of large types the first some thousand.
std::vector<model::DeclaredElement> elements_of(const ValueType& type);

/// What a class template of the standard library keeps its elements as: vector, array and
/// pointers that own; empty for other types.
std::optional<ValueType> contained_type(const ValueType& type);

}  // namespace mqinspect::target
