// What gfortran's descriptors of arrays and of objects with procedures are for: Values, third part.
#include <optional>
#include <string_view>

#include "thread_level/facts/pointed_members.h"
#include "thread_level/facts/values.h"
#include "thread_level/gcc_plugin/pointed_members.h"
#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kIndexDepth = 32;  // of copies and sums that are followed

std::string_view name_of_field(tree reference) {
    const tree name =
        TREE_CODE(reference) == COMPONENT_REF ? DECL_NAME(TREE_OPERAND(reference, 1)) : NULL_TREE;
    return name == NULL_TREE ? std::string_view() : IDENTIFIER_POINTER(name);
}

}  // namespace

bool is_integer_of_fortran(tree type) {
    if (TREE_CODE(type) == ARRAY_TYPE) type = TREE_TYPE(type);
    return is_fortran() && TREE_CODE(type) == INTEGER_TYPE;
}

bool is_class_container(tree type) {
    return is_fortran() && RECORD_OR_UNION_TYPE_P(type) &&
           name_of_type(type).starts_with("__class_");
}

bool is_data_of_class(tree reference) {
    return name_of_field(reference) == "_data" &&
           is_class_container(TREE_TYPE(TREE_OPERAND(reference, 0)));
}

bool is_data_of_array(tree reference) {
    return is_fortran() && name_of_field(reference) == "data" &&
           name_of_type(TREE_TYPE(TREE_OPERAND(reference, 0))).starts_with("array");
}

/// What the descriptor of an array is for that is an argument, or a component of one.
Value Values::handed_array(tree descriptor, ContextId context, int depth) {
    if (TREE_CODE(descriptor) != COMPONENT_REF) return of_object(descriptor, context, depth);
    const tree object = TREE_OPERAND(descriptor, 0);
    Value handed = of_object(object, context, depth);
    if (TREE_CODE(object) != MEM_REF || !is_whole_parameter(handed)) return {};
    handed.name = gathering_.intern(member_name(descriptor));
    return handed;
}

/// Of what descriptors say that it is there; nothing: `reference` does not ask for that.
std::optional<Value> Values::of_description(tree reference, ContextId context, int depth) {
    const tree base = TREE_OPERAND(reference, 0);
    if (const tree data = data_of_descriptor(reference); data != NULL_TREE)
        return of(data, context, depth);
    if (is_data_of_class(reference) && TREE_CODE(base) == MEM_REF)
        return of(TREE_OPERAND(base, 0), context, depth);
    if (!is_data_of_array(reference)) return std::nullopt;
    const Value handed = handed_array(base, context, depth);
    return handed.kind == Value::Kind::Parameter ? std::optional(handed) : std::nullopt;
}

/// The array that gfortran hands to a procedure that takes it as a whole; null: it is none.
tree Values::packed_array(const gimple* call) {
    const tree callee = is_gimple_call(call) ? gimple_call_fndecl(call) : NULL_TREE;
    if (callee == NULL_TREE || DECL_NAME(callee) == NULL_TREE ||
        std::string_view(IDENTIFIER_POINTER(DECL_NAME(callee))) != "_gfortran_internal_pack")
        return NULL_TREE;
    const tree descriptor = gimple_call_arg(call, 0);
    return TREE_CODE(descriptor) == ADDR_EXPR ? data_in(TREE_OPERAND(descriptor, 0), "data")
                                              : NULL_TREE;
}

/// Where the descriptor of an array, which gfortran makes for one call, says that the array is, and
/// the same of an object; null: `reference` does not ask for that.
tree Values::data_of_descriptor(tree reference) {
    const std::string_view field = name_of_field(reference);
    const bool is_data = is_fortran() && (field == "data" || is_data_of_class(reference));
    return is_data ? data_in(TREE_OPERAND(reference, 0), field) : NULL_TREE;
}

/// What the one assignment to that field of a variable that gfortran has made assigns.
tree Values::data_in(tree variable, std::string_view field) {
    if (!VAR_P(variable) || !DECL_ARTIFICIAL(variable)) return NULL_TREE;
    const VariableUse* use = source_.use_of(variable);
    tree data = NULL_TREE;
    for (std::size_t i = 0; use != nullptr && i < use->definitions.size(); ++i) {
        gimple* statement = use->definitions[i].statement;
        const tree left = gimple_get_lhs(statement);
        if (TREE_CODE(left) != COMPONENT_REF || name_of_field(left) != field) continue;
        if (data != NULL_TREE || !gimple_assign_single_p(statement)) return NULL_TREE;
        data = gimple_assign_rhs1(statement);
    }
    return data;
}

/// The constant that gfortran adds to the offset in the descriptor of an allocatable array: all
/// that have it mean one element of that, as long as it is there.
std::optional<std::int64_t> Values::index_behind_offset(tree index, int depth) {
    if (!is_fortran() || depth <= 0) return std::nullopt;
    index = strip(index);
    if (name_of_field(index) == "offset") return 0;
    if (TREE_CODE(index) == INTEGER_CST) return constant(index);
    const Located* definition = is_local_name(index) ? only_definition(index) : nullptr;
    if (definition == nullptr || !is_gimple_assign(definition->statement)) return std::nullopt;
    gimple* statement = definition->statement;
    if (is_copying(statement)) return index_behind_offset(gimple_assign_rhs1(statement), depth - 1);
    if (gimple_assign_rhs_code(statement) != PLUS_EXPR) return std::nullopt;
    const tree second = gimple_assign_rhs2(statement);
    const auto first = index_behind_offset(gimple_assign_rhs1(statement), depth - 1);
    const auto added = first ? index_behind_offset(second, depth - 1) : std::nullopt;
    return added ? std::optional(*first + *added) : std::nullopt;
}

Value Values::of_array_element(tree reference, ContextId context, int depth) {
    const Value array = of_object(TREE_OPERAND(reference, 0), context, depth - 1);
    const tree selector = TREE_OPERAND(reference, 1);
    const bool is_one = array.kind == Value::Kind::Global || array.kind == Value::Kind::Local;
    if (const auto index = is_one ? index_behind_offset(selector, kIndexDepth) : std::nullopt)
        return numbered(array, *index);
    const bool is_member = is_member_array(array, TREE_TYPE(TREE_OPERAND(reference, 0))) ||
                           (is_one && !pointed_member(gathering_.unit.strings[array.name]).empty());
    if (const auto index = is_member ? constant(selector) : std::nullopt)
        return numbered(array, *index);
    return element_of(array, selector);
}

}  // namespace mqinspect::thread_level::plugin
