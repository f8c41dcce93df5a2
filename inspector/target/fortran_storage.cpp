#include "inspector/target/fortran_storage.h"

#include <algorithm>

#include <dwarf.h>

#include "inspector/target/declared_elements.h"
#include "inspector/target/dwarf_types.h"
#include "inspector/target/frame_variables.h"
#include "inspector/target/scopes.h"

namespace mqinspect::target {
namespace {

/// Where a variable begins: in the frame, or in the image.
struct Begin {
    unsigned base = 0;
    std::int64_t at = 0;
};

std::optional<Begin> begin_of(const VariableSite& site) {
    const auto& operations = site.location;
    if (operations.empty() || operations.size() > 2) return std::nullopt;
    Begin begin{operations[0].atom, static_cast<std::int64_t>(operations[0].number)};
    if (begin.base != DW_OP_fbreg && begin.base != DW_OP_addr) return std::nullopt;
    if (operations.size() == 2) {
        // What EQUIVALENCE puts further behind.
        if (operations[1].atom != DW_OP_plus_uconst) return std::nullopt;
        begin.at += static_cast<std::int64_t>(operations[1].number);
    }
    return begin;
}

std::optional<std::uint64_t> size_of(const Module& module, Dwarf_Die variable) {
    return declared_size(with_dimensions(type_of_entry(module, variable)));
}

std::optional<std::int64_t> constant(const Expression& node) {
    constexpr std::uint64_t highest = std::uint64_t{1} << 40;
    if (node.kind == Expression::Kind::Integer && node.integer < highest)
        return static_cast<std::int64_t>(node.integer);
    if (node.kind != Expression::Kind::Unary || node.text != "-") return std::nullopt;
    const auto number = constant(node.operands[0]);
    return number ? std::optional(-*number) : std::nullopt;
}

}  // namespace

bool has_own_storage(const Module& module, std::uint64_t linked_address, Dwarf_Die variable) {
    const VariableSite site = variable_site(variable, linked_address);
    const auto begin = begin_of(site);
    const auto size = size_of(module, variable);
    if (dwarf_tag(&variable) != DW_TAG_variable || !begin || !size || site.location.size() != 1)
        return false;
    const auto shares = [&](const LocalVariable& one) {
        if (one.die.addr == variable.addr) return one.is_in_common;
        const auto other = begin_of(variable_site(one.die, linked_address));
        if (!other || other->base != begin->base) return false;
        const auto length = static_cast<std::int64_t>(size_of(module, one.die).value_or(1));
        return other->at < begin->at + static_cast<std::int64_t>(*size) &&
               begin->at < other->at + length;
    };
    return std::ranges::none_of(visible_variables(module, linked_address), shares);
}

std::optional<std::uint64_t> offset_in_array(const ValueType& array,
                                             std::span<const Expression> subscripts) {
    if (array.steps.size() != subscripts.size()) return std::nullopt;
    std::optional<std::uint64_t> stride = declared_size(innermost_element(array));
    std::uint64_t offset = 0;
    for (std::size_t i = 0; i < subscripts.size(); ++i) {
        const TypeStep& step = array.steps[i];
        const Expression& written = subscripts[i];
        const bool range = written.kind == Expression::Kind::Range;
        const auto subscript = written.kind == Expression::Kind::Whole
                                   ? std::optional(step.lower)
                                   : constant(range ? written.operands[0] : written);
        if (!stride || !step.count || !subscript || *subscript < step.lower) return std::nullopt;
        const auto ahead = static_cast<std::uint64_t>(*subscript - step.lower);
        if (ahead >= *step.count) return std::nullopt;
        offset += ahead * *stride;
        *stride *= *step.count;
    }
    return offset;
}

}  // namespace mqinspect::target
