#include "inspector/target/value_type.h"

#include <algorithm>
#include <array>

#include <dwarf.h>
#include <fmt/format.h>

#include "inspector/target/dwarf_types.h"
#include "inspector/target/type_names.h"

namespace mqinspect::target {
namespace {

constexpr int kMaxChildren = 1 << 20;
constexpr std::uint64_t kMaxScalarBytes = 64;

constexpr std::array<BasicType, 24> kBasicTypes{{
    {"int", 4, TypeKind::Integer, true},
    {"unsigned int", 4, TypeKind::Integer, false},
    {"unsigned", 4, TypeKind::Integer, false},
    {"long", 8, TypeKind::Integer, true},
    {"long int", 8, TypeKind::Integer, true},
    {"unsigned long", 8, TypeKind::Integer, false},
    {"long unsigned int", 8, TypeKind::Integer, false},
    {"long long", 8, TypeKind::Integer, true},
    {"unsigned long long", 8, TypeKind::Integer, false},
    {"short", 2, TypeKind::Integer, true},
    {"unsigned short", 2, TypeKind::Integer, false},
    {"char", 1, TypeKind::Character, true},
    {"signed char", 1, TypeKind::Character, true},
    {"unsigned char", 1, TypeKind::Character, false},
    {"float", 4, TypeKind::Float, true},
    {"double", 8, TypeKind::Float, true},
    {"long double", 16, TypeKind::Float, true},
    {"bool", 1, TypeKind::Boolean, false},
    {"_Bool", 1, TypeKind::Boolean, false},
    {"size_t", 8, TypeKind::Integer, false},
    {"int64_t", 8, TypeKind::Integer, true},
    {"uint64_t", 8, TypeKind::Integer, false},
    {"int32_t", 4, TypeKind::Integer, true},
    {"uint32_t", 4, TypeKind::Integer, false},
}};

TypeKind kind_of_base(Dwarf_Die base, bool& is_signed) {
    const auto encoding = unsigned_attribute(base, DW_AT_encoding).value_or(0);
    const auto size = unsigned_attribute(base, DW_AT_byte_size).value_or(0);
    is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char ||
                encoding == DW_ATE_signed_fixed;
    switch (encoding) {
        case DW_ATE_boolean:
            return TypeKind::Boolean;
        case DW_ATE_signed_char:
        case DW_ATE_unsigned_char:
            return size == 1 ? TypeKind::Character : TypeKind::Integer;
        case DW_ATE_signed:
        case DW_ATE_unsigned:
        case DW_ATE_address:
        case DW_ATE_UTF:
            return TypeKind::Integer;
        case DW_ATE_float:
            return TypeKind::Float;
        case DW_ATE_complex_float:
            return TypeKind::Complex;
        default:
            return TypeKind::Unknown;
    }
}

TypeKind kind_of_tag(int tag) {
    switch (tag) {
        case DW_TAG_pointer_type:
            return TypeKind::Pointer;
        case DW_TAG_reference_type:
        case DW_TAG_rvalue_reference_type:
            return TypeKind::Reference;
        case DW_TAG_ptr_to_member_type:
            return TypeKind::MemberPointer;
        case DW_TAG_enumeration_type:
            return TypeKind::Enumeration;
        case DW_TAG_structure_type:
        case DW_TAG_class_type:
        case DW_TAG_union_type:
            return TypeKind::Structure;
        case DW_TAG_array_type:
            return TypeKind::Array;
        case DW_TAG_string_type:
            return TypeKind::String;
        case DW_TAG_subroutine_type:
        case DW_TAG_subprogram:
            return TypeKind::Function;
        default:
            return TypeKind::Unknown;
    }
}

std::optional<std::uint64_t> size_of_peeled(Dwarf_Die die, TypeKind kind) {
    if (kind == TypeKind::Pointer || kind == TypeKind::Reference) return 8;
    const auto size = unsigned_attribute(die, DW_AT_byte_size);
    const bool scalar = kind != TypeKind::Structure && kind != TypeKind::Array &&
                        kind != TypeKind::String && kind != TypeKind::Unknown;
    if (scalar && size && *size > kMaxScalarBytes) return std::nullopt;
    // A pointer to a member function is two words, and as good as a structure.
    if (!size && kind == TypeKind::MemberPointer) return 8;
    if (size || kind != TypeKind::Enumeration) return size;
    return type_size(die);
}

std::string base_name(const ValueType& type) {
    if (type.basic != nullptr) return std::string(type.basic->name);
    if (!type.die) return "void";
    return name_of_type(*type.die);
}

}  // namespace

const BasicType* basic_type(std::string_view name) {
    const auto found = std::ranges::find(kBasicTypes, name, &BasicType::name);
    return found == kBasicTypes.end() ? nullptr : &*found;
}

ValueType made_of(const BasicType& basic) {
    ValueType type;
    type.basic = &basic;
    return type;
}

ValueType type_of_entry(const Module& module, Dwarf_Die entry) {
    ValueType type;
    type.module = &module;
    Dwarf_Die die{};
    if (type_of(entry, die)) type.die = die;
    return type;
}

TypeShape shape_of(const ValueType& type) {
    TypeShape shape;
    if (!type.steps.empty()) {
        const TypeStep& step = type.steps.back();
        shape.kind = step.is_pointer ? TypeKind::Pointer : TypeKind::Array;
        if (step.is_pointer) shape.size = 8;
        return shape;
    }
    if (type.basic != nullptr) {
        return {.kind = type.basic->kind,
                .is_signed = type.basic->is_signed,
                .size = type.basic->size,
                .die = std::nullopt};
    }
    shape.kind = TypeKind::Void;
    if (!type.die) return shape;
    Dwarf_Die die = *type.die;
    // "const void" has a qualifier and no type.
    if (!peel_type(die)) {
        const int tag = dwarf_tag(&die);
        if (tag != DW_TAG_const_type && tag != DW_TAG_volatile_type && tag != DW_TAG_typedef)
            shape.kind = TypeKind::Unknown;
        return shape;
    }
    const int tag = dwarf_tag(&die);
    shape.die = die;
    shape.kind = tag == DW_TAG_base_type ? kind_of_base(die, shape.is_signed) : kind_of_tag(tag);
    shape.size = size_of_peeled(die, shape.kind);
    if (shape.kind == TypeKind::Enumeration) {
        Dwarf_Die underlying{};
        if (type_of(die, underlying) && peel_type(underlying))
            kind_of_base(underlying, shape.is_signed);
    }
    return shape;
}

ValueType target_of(const ValueType& type) {
    ValueType target = type;
    if (!target.steps.empty()) {
        target.steps.pop_back();
        return target;
    }
    const TypeShape shape = shape_of(type);
    target = {};
    target.module = type.module;
    Dwarf_Die die{};
    if (shape.die && type_of(*shape.die, die)) target.die = die;
    return target;
}

ValueType pointer_to(ValueType type) {
    type.steps.push_back({});
    return type;
}

std::string type_name(const ValueType& type) {
    std::string name = base_name(type);
    std::string bounds;
    for (std::size_t i = type.steps.size(); i-- > 0;) {
        const TypeStep& step = type.steps[i];
        if (!step.is_pointer) bounds += step.count ? fmt::format("[{}]", *step.count) : "[]";
    }
    for (const TypeStep& step : type.steps) {
        if (!step.is_pointer) continue;
        if (!name.ends_with('*')) name += ' ';
        name += '*';
    }
    return bounds.empty() ? name : name + (name.ends_with('*') ? "" : " ") + bounds;
}

bool is_fortran(Dwarf_Die entry) {
    Dwarf_Die unit{};
    if (dwarf_diecu(&entry, &unit, nullptr, nullptr) == nullptr) return false;
    switch (dwarf_srclang(&unit)) {
        case DW_LANG_Fortran77:
        case DW_LANG_Fortran90:
        case DW_LANG_Fortran95:
        case DW_LANG_Fortran03:
        case DW_LANG_Fortran08:
            return true;
        default:
            return false;
    }
}

void for_each_child(Dwarf_Die parent, const std::function<bool(Dwarf_Die)>& visit) {
    Dwarf_Die child{};
    if (dwarf_child(&parent, &child) != 0) return;
    for (int count = 0; count < kMaxChildren; ++count) {
        if (!visit(child)) return;
        Dwarf_Die next{};
        // References of damaged entries can lead back to where they came from.
        if (dwarf_siblingof(&child, &next) != 0 || next.addr <= child.addr) return;
        child = next;
    }
}

std::string_view entry_name(Dwarf_Die entry) {
    const char* name = dwarf_diename(&entry);
    return name == nullptr ? std::string_view{} : name;
}

std::optional<std::uint64_t> unsigned_attribute(Dwarf_Die entry, unsigned name) {
    Dwarf_Attribute attribute{};
    Dwarf_Word value = 0;
    if (dwarf_attr_integrate(&entry, name, &attribute) == nullptr ||
        dwarf_whatform(&attribute) == DW_FORM_exprloc || dwarf_formudata(&attribute, &value) != 0) {
        return std::nullopt;
    }
    return value;
}

std::optional<std::int64_t> signed_attribute(Dwarf_Die entry, unsigned name) {
    // Compilers write negative numbers in signed forms only.
    const auto value = unsigned_attribute(entry, name);
    return value ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
}

bool flag_attribute(Dwarf_Die entry, unsigned name) {
    Dwarf_Attribute attribute{};
    bool set = false;
    return dwarf_attr_integrate(&entry, name, &attribute) != nullptr &&
           dwarf_formflag(&attribute, &set) == 0 && set;
}

}  // namespace mqinspect::target
