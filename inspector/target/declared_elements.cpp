#include "inspector/target/declared_elements.h"

#include <algorithm>
#include <array>

#include <dwarf.h>

#include "inspector/target/dwarf_types.h"

namespace mqinspect::target {
namespace {

using model::DeclaredElement;
using Elements = std::vector<DeclaredElement>;

constexpr std::size_t kMaxElements = 4096;
constexpr int kMaxDepth = 16;
constexpr std::size_t kMaxDimensions = 32;
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 40;

bool is_static_member(Dwarf_Die member) {
    return flag_attribute(member, DW_AT_external) || flag_attribute(member, DW_AT_declaration);
}

bool is_union(Dwarf_Die die) {
    return dwarf_tag(&die) == DW_TAG_union_type;
}

/// Of a virtual base class only the object knows.
std::optional<std::uint64_t> offset_of(Dwarf_Die member) {
    if (dwarf_hasattr_integrate(&member, DW_AT_data_member_location) == 0) return 0;
    return unsigned_attribute(member, DW_AT_data_member_location);
}

class Collector {
public:
    Elements run(const ValueType& type) {
        add(type, 0, 0);
        std::ranges::sort(found_, {}, &DeclaredElement::offset);
        return std::move(found_);
    }

private:
    void put(DeclaredElement::Kind kind, std::uint64_t offset, std::uint64_t size) {
        if (found_.size() >= kMaxElements || offset >= kMaxBytes) return;
        found_.push_back(
            {kind, static_cast<std::int64_t>(offset), static_cast<std::int64_t>(size)});
    }

    void add(const ValueType& written, std::uint64_t offset, int depth) {
        if (depth > kMaxDepth || found_.size() >= kMaxElements) return;
        const ValueType type = with_dimensions(written);
        const TypeShape shape = shape_of(type);
        const std::uint64_t size = shape.size.value_or(0);
        switch (shape.kind) {
            case TypeKind::Integer:
            case TypeKind::Boolean:
            case TypeKind::Enumeration:
                // Single bytes are what memory is counted in.
                if (size > 1) put(DeclaredElement::Kind::Integer, offset, size);
                return;
            case TypeKind::Float:
                return put(DeclaredElement::Kind::Float, offset, size);
            case TypeKind::Complex:
                put(DeclaredElement::Kind::Float, offset, size / 2);
                return put(DeclaredElement::Kind::Float, offset + size / 2, size / 2);
            case TypeKind::Pointer:
            case TypeKind::Reference:
                return put(DeclaredElement::Kind::Pointer, offset, 8);
            case TypeKind::Array:
                return add_array(type, offset, depth);
            case TypeKind::Structure:
                if (shape.die && !is_union(*shape.die))
                    add_members(type, *shape.die, offset, depth);
                return;
            default:
                return;
        }
    }

    void add_array(const ValueType& type, std::uint64_t offset, int depth) {
        if (type.steps.empty() || !type.steps.back().count) return;
        const ValueType element = target_of(type);
        const auto size = declared_size(element);
        if (!size || *size == 0) return;
        const std::uint64_t count = *type.steps.back().count;
        for (std::uint64_t i = 0; i < count && found_.size() < kMaxElements; ++i) {
            const std::size_t before = found_.size();
            add(element, offset + i * *size, depth + 1);
            if (found_.size() == before) return;
        }
    }

    void add_members(const ValueType& type, Dwarf_Die structure, std::uint64_t offset, int depth) {
        for_each_child(structure, [&](Dwarf_Die child) {
            const int tag = dwarf_tag(&child);
            const bool member =
                tag == DW_TAG_inheritance || (tag == DW_TAG_member && !is_static_member(child) &&
                                              dwarf_hasattr_integrate(&child, DW_AT_bit_size) == 0);
            const auto place = member ? offset_of(child) : std::nullopt;
            if (place && *place < kMaxBytes)
                add(type_of_entry(*type.module, child), offset + *place, depth + 1);
            return found_.size() < kMaxElements;
        });
    }

    Elements found_;
};

std::optional<DeclaredMember> find_member(const ValueType& structure,
                                          std::string_view name,
                                          int depth) {
    const TypeShape shape = shape_of(structure);
    if (depth > kMaxDepth || shape.kind != TypeKind::Structure || !shape.die) return std::nullopt;
    std::optional<DeclaredMember> found;
    for_each_child(*shape.die, [&](Dwarf_Die child) {
        const int tag = dwarf_tag(&child);
        if (tag != DW_TAG_inheritance && tag != DW_TAG_member) return true;
        const auto offset = offset_of(child);
        if (!offset || *offset >= kMaxBytes || is_static_member(child)) return true;
        const ValueType type = type_of_entry(*structure.module, child);
        if (tag == DW_TAG_member && entry_name(child) == name) {
            if (dwarf_hasattr_integrate(&child, DW_AT_bit_size) == 0)
                found = DeclaredMember{type, *offset};
            return false;
        }
        if (tag == DW_TAG_inheritance || entry_name(child).empty()) {
            found = find_member(type, name, depth + 1);
            if (found) found->offset += *offset;
        }
        return !found;
    });
    return found;
}

}  // namespace

std::optional<std::uint64_t> declared_size(const ValueType& type) {
    std::optional<std::uint64_t> size;
    if (type.basic != nullptr) size = type.basic->size;
    if (type.die) size = type_size(*type.die);
    for (const TypeStep& step : type.steps) {
        if (step.is_pointer) {
            size = 8;
        } else if (!size || !step.count || (*step.count != 0 && *size > kMaxBytes / *step.count)) {
            size.reset();
        } else {
            *size *= *step.count;
        }
    }
    return size;
}

ValueType with_dimensions(const ValueType& type) {
    const TypeShape shape = shape_of(type);
    if (shape.kind != TypeKind::Array || !shape.die || type.module == nullptr) return type;
    ValueType result = type_of_entry(*type.module, *shape.die);
    std::vector<TypeStep> steps;
    const std::int64_t lower = is_fortran(*shape.die) ? 1 : 0;
    for_each_child(*shape.die, [&](Dwarf_Die child) {
        if (dwarf_tag(&child) == DW_TAG_subrange_type) {
            steps.push_back({.is_pointer = false,
                             .lower = signed_attribute(child, DW_AT_lower_bound).value_or(lower),
                             .count = subrange_count(child),
                             .stride = 0});
        }
        return steps.size() < kMaxDimensions;
    });
    if (lower == 0) std::ranges::reverse(steps);
    result.steps = std::move(steps);
    return result;
}

bool has_descriptor(const ValueType& array) {
    const TypeShape shape = shape_of(array);
    if (shape.kind != TypeKind::Array || !shape.die) return false;
    Dwarf_Die die = *shape.die;
    return dwarf_hasattr(&die, DW_AT_data_location) != 0;
}

ValueType innermost_element(const ValueType& type) {
    ValueType element = type;
    for (int depth = 0; depth < kMaxDepth; ++depth) {
        element = with_dimensions(element);
        if (shape_of(element).kind != TypeKind::Array || element.steps.empty()) break;
        while (!element.steps.empty() && !element.steps.back().is_pointer)
            element = target_of(element);
    }
    return element;
}

std::optional<DeclaredMember> declared_member(const ValueType& structure, std::string_view name) {
    return find_member(structure, name, 0);
}

std::vector<DeclaredElement> elements_of(const ValueType& type) {
    return Collector().run(type);
}

std::optional<ValueType> contained_type(const ValueType& type) {
    constexpr std::array<std::string_view, 6> names = {
        "vector<", "array<", "unique_ptr<", "shared_ptr<", "valarray<", "span<"};
    const TypeShape shape = shape_of(type);
    if (shape.kind != TypeKind::Structure || !shape.die || type.module == nullptr)
        return std::nullopt;
    const std::string_view name = entry_name(*shape.die);
    if (std::ranges::none_of(names, [&](std::string_view one) { return name.starts_with(one); }))
        return std::nullopt;
    std::optional<ValueType> found;
    for_each_child(*shape.die, [&](Dwarf_Die child) {
        if (dwarf_tag(&child) == DW_TAG_template_type_parameter)
            found = innermost_element(type_of_entry(*type.module, child));
        return !found;
    });
    return found;
}

}  // namespace mqinspect::target
