// Sizes and bounds, of which some depend on the object or on the frame: arrays of
// variable length in C, nearly everything in Fortran.
#include <algorithm>

#include <dwarf.h>

#include "inspector/target/value.h"
#include "inspector/target/variable_frame.h"

namespace mqinspect::target {
namespace {

// Chains of typedefs and nested arrays of real programs are a few steps long.
constexpr int kMaxDepth = 16;
constexpr std::size_t kMaxDimensions = 32;
constexpr std::int64_t kMaxStride = std::int64_t{1} << 40;

bool is_expression(Dwarf_Attribute& attribute) {
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    return dwarf_getlocation(&attribute, &operations, &count) == 0 && count > 0;
}

}  // namespace

std::optional<std::int64_t> ValueReader::bound(Dwarf_Die entry,
                                               unsigned name,
                                               const Module& module,
                                               std::optional<Address> object) const {
    if (const auto constant = signed_attribute(entry, name)) return constant;
    Dwarf_Attribute attribute{};
    if (dwarf_attr_integrate(&entry, name, &attribute) == nullptr) return std::nullopt;
    if (is_expression(attribute)) {
        VariableFrame frame(view_, stack_, index_, memory_, module);
        if (object) frame.set_object(to_integer(*object));
        Dwarf_Op* operations = nullptr;
        std::size_t count = 0;
        if (dwarf_getlocation(&attribute, &operations, &count) != 0) return std::nullopt;
        const auto parts = evaluate({operations, count}, &attribute, frame);
        if (!parts) return std::nullopt;
        const ValuePart& part = parts->front();
        const bool computed =
            part.kind == ValuePart::Kind::Memory || part.kind == ValuePart::Kind::Value;
        return computed ? std::optional(static_cast<std::int64_t>(part.value)) : std::nullopt;
    }
    const auto value = referenced(attribute, module);
    const auto number = value ? integer(*value) : Result<std::uint64_t>(Error{});
    return number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
}

// The variable that the compiler has made for a bound.
std::optional<Value> ValueReader::referenced(Dwarf_Attribute& attribute,
                                             const Module& module) const {
    Dwarf_Die die{};
    if (dwarf_formref_die(&attribute, &die) == nullptr) return std::nullopt;
    const int tag = dwarf_tag(&die);
    if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) return std::nullopt;
    if (bounds_ >= kMaxDepth) return std::nullopt;
    ++bounds_;
    auto value = variable(
        module, die, variable_site(die, linked_lookup_address(module, stack_.frames[index_])));
    --bounds_;
    return value;
}

std::vector<TypeStep> ValueReader::dimensions(Dwarf_Die array,
                                              const Module& module,
                                              std::optional<Address> object,
                                              int depth) const {
    const bool fortran = is_fortran(array);
    const auto ordering = unsigned_attribute(array, DW_AT_ordering);
    const bool column_major = ordering ? *ordering == DW_ORD_col_major : fortran;
    std::vector<TypeStep> steps;
    std::vector<std::int64_t> strides;
    for_each_child(array, [&](Dwarf_Die child) {
        if (dwarf_tag(&child) != DW_TAG_subrange_type) return true;
        TypeStep step{.is_pointer = false, .lower = fortran ? 1 : 0, .count = {}, .stride = 0};
        step.lower = bound(child, DW_AT_lower_bound, module, object).value_or(step.lower);
        if (const auto count = bound(child, DW_AT_count, module, object)) {
            if (*count >= 0) step.count = static_cast<std::uint64_t>(*count);
        } else if (const auto upper = bound(child, DW_AT_upper_bound, module, object)) {
            // An upper bound below the lower one: no elements.
            std::int64_t length = 0;
            if (!__builtin_sub_overflow(*upper, step.lower, &length) && length < INT64_MAX)
                step.count = length < 0 ? 0 : static_cast<std::uint64_t>(length) + 1;
        }
        step.stride = bound(child, DW_AT_byte_stride, module, object).value_or(0);
        steps.push_back(step);
        return steps.size() < kMaxDimensions;
    });
    if (!column_major) std::reverse(steps.begin(), steps.end());

    const ValueType element = type_of_entry(module, array);
    const auto size = unsigned_attribute(array, DW_AT_byte_stride);
    auto stride = static_cast<std::int64_t>(
        size ? *size : size_of(element, std::nullopt, depth + 1).value_or(0));
    for (TypeStep& step : steps) {
        if (step.stride == 0) step.stride = stride;
        const bool sane = step.stride > -kMaxStride && step.stride < kMaxStride && step.count &&
                          *step.count < static_cast<std::uint64_t>(kMaxStride);
        if (!sane ||
            __builtin_mul_overflow(step.stride, static_cast<std::int64_t>(*step.count), &stride))
            stride = 0;
    }
    return steps;
}

void ValueReader::settle(Value& value) const {
    const TypeShape shape = shape_of(value.type);
    if (shape.kind != TypeKind::Array || !shape.die || value.type.module == nullptr) return;
    const Module& module = *value.type.module;
    Dwarf_Die array = *shape.die;
    if (bound(array, DW_AT_allocated, module, value.address) == 0) value.absent = "not allocated";
    if (bound(array, DW_AT_associated, module, value.address) == 0) value.absent = "not associated";
    const auto data = bound(array, DW_AT_data_location, module, value.address);
    ValueType type = type_of_entry(module, array);
    type.steps = dimensions(array, module, value.address, 0);
    value.type = std::move(type);
    if (!data) return;
    // What was there is a descriptor.
    value.address = Address{static_cast<std::uint64_t>(*data)};
    value.bytes.clear();
    value.gaps.clear();
}

std::optional<std::uint64_t> ValueReader::size_of(const ValueType& type) const {
    return size_of(type, std::nullopt, 0);
}

std::optional<std::uint64_t> ValueReader::size_of(const ValueType& type,
                                                  std::optional<Address> object,
                                                  int depth) const {
    if (depth > kMaxDepth) return std::nullopt;
    const TypeShape shape = shape_of(type);
    if (shape.kind == TypeKind::String && shape.die) return string_size(*shape.die, *type.module);
    if (shape.kind == TypeKind::Structure && !shape.size) {
        const TypeShape completed = shape_of(complete(type));
        return completed.size;
    }
    if (shape.kind != TypeKind::Array) return shape.size;
    if (!type.steps.empty()) {
        const TypeStep& step = type.steps.back();
        std::uint64_t size = 0;
        if (!step.count || step.stride < 0 ||
            __builtin_mul_overflow(*step.count, static_cast<std::uint64_t>(step.stride), &size))
            return std::nullopt;
        return size;
    }
    if (!shape.die || type.module == nullptr) return std::nullopt;
    ValueType settled = type_of_entry(*type.module, *shape.die);
    settled.steps = dimensions(*shape.die, *type.module, object, depth + 1);
    if (settled.steps.empty()) return std::nullopt;
    return size_of(settled, object, depth + 1);
}

// A length that is not constant is in a variable of the frame, named by the type.
std::optional<std::uint64_t> ValueReader::string_size(Dwarf_Die string,
                                                      const Module& module) const {
    Dwarf_Attribute attribute{};
    if (dwarf_attr_integrate(&string, DW_AT_string_length, &attribute) == nullptr)
        return unsigned_attribute(string, DW_AT_byte_size);
    if (const auto value = referenced(attribute, module)) {
        const auto number = integer(*value);
        return number ? std::optional(*number) : std::nullopt;
    }
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (dwarf_getlocation(&attribute, &operations, &count) != 0) return std::nullopt;
    const VariableFrame frame(view_, stack_, index_, memory_, module);
    const auto parts = evaluate({operations, count}, &attribute, frame);
    if (!parts || parts->front().kind != ValuePart::Kind::Memory) return std::nullopt;
    const std::uint64_t bytes =
        unsigned_attribute(string, DW_AT_string_length_byte_size).value_or(8);
    Value length;
    length.address = Address{parts->front().value};
    length.type = made_of(*basic_type(bytes == 4 ? "unsigned int" : "unsigned long"));
    const auto number = integer(length);
    return number ? std::optional(*number) : std::nullopt;
}

}  // namespace mqinspect::target
