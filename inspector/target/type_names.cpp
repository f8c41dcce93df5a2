#include "inspector/target/type_names.h"

#include <optional>

#include <dwarf.h>
#include <fmt/format.h>

#include "inspector/target/dwarf_types.h"
#include "inspector/target/value_type.h"

namespace mqinspect::target {
namespace {

constexpr int kMaxDepth = 32;
// Parameters that are functions again have many parameters each.
constexpr int kFunctionDepth = 8;

std::string name_type(Dwarf_Die type, int depth);

std::string name_target(Dwarf_Die type, int depth) {
    Dwarf_Die target{};
    return type_of(type, target) ? name_type(target, depth + 1) : "void";
}

std::string array_bounds(Dwarf_Die array) {
    constexpr int max_dimensions = 64;
    std::string text;
    int dimensions = 0;
    for_each_child(array, [&](Dwarf_Die child) {
        if (dwarf_tag(&child) != DW_TAG_subrange_type) return true;
        const auto count = subrange_count(child);
        text += count ? fmt::format("[{}]", *count) : "[]";
        return ++dimensions < max_dimensions;
    });
    return text.empty() ? "[]" : text;
}

// "char **", not "char * *".
std::string with_suffix(std::string target, std::string_view suffix) {
    if (!target.ends_with('*')) target += ' ';
    return target.append(suffix);
}

std::string qualified(Dwarf_Die type, std::string_view word, int depth) {
    std::string target = name_target(type, depth);
    if (target.ends_with('*')) return target.append(word);
    return fmt::format("{} {}", word, target);
}

// "int (*)(double, char *)".
std::string function_type(Dwarf_Die type, std::string_view between, int depth) {
    constexpr int max_parameters = 8;
    std::string parameters;
    int count = 0;
    for_each_child(type, [&](Dwarf_Die child) {
        const int tag = dwarf_tag(&child);
        if (!parameters.empty()) parameters += ", ";
        if (count == max_parameters || tag == DW_TAG_unspecified_parameters) {
            parameters += "...";
        } else if (tag == DW_TAG_formal_parameter) {
            parameters += name_target(child, depth);
        }
        return ++count <= max_parameters;
    });
    return fmt::format("{} {}({})", name_target(type, depth), between, parameters);
}

std::string name_type(Dwarf_Die type, int depth) {
    if (depth > kMaxDepth) return "?";
    const char* name = dwarf_diename(&type);
    switch (dwarf_tag(&type)) {
        case DW_TAG_pointer_type: {
            Dwarf_Die target{};
            const bool function =
                type_of(type, target) && dwarf_tag(&target) == DW_TAG_subroutine_type;
            if (function) return function_type(target, "(*)", depth + kFunctionDepth);
            return with_suffix(name_target(type, depth), "*");
        }
        case DW_TAG_reference_type:
            return with_suffix(name_target(type, depth), "&");
        case DW_TAG_rvalue_reference_type:
            return with_suffix(name_target(type, depth), "&&");
        case DW_TAG_const_type:
            return qualified(type, "const", depth);
        case DW_TAG_volatile_type:
            return qualified(type, "volatile", depth);
        case DW_TAG_restrict_type:
        case DW_TAG_atomic_type:
            return name_target(type, depth);
        case DW_TAG_array_type:
            return with_suffix(name_target(type, depth), array_bounds(type));
        case DW_TAG_subroutine_type:
            return function_type(type, "", depth + kFunctionDepth);
        case DW_TAG_ptr_to_member_type:
            return name_target(type, depth) + " ::*";
        default:
            return name == nullptr ? "?" : name;
    }
}

}  // namespace

std::string type_name_of(Dwarf_Die variable) {
    return name_target(variable, 0);
}

std::string name_of_type(Dwarf_Die type) {
    return name_type(type, 0);
}

}  // namespace mqinspect::target
