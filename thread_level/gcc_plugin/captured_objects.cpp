#include "thread_level/gcc_plugin/captured_objects.h"

#include <string_view>

#include "thread_level/gcc_plugin/callables.h"
#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {
namespace {

bool has_call_operator(tree class_type) {
    for (tree member = TYPE_FIELDS(class_type); member != NULL_TREE; member = DECL_CHAIN(member))
        if (is_call_operator(member)) return true;
    return false;
}

/// What is captured has two underscores in front of its name there.
bool refers_to_object(tree member) {
    if (TREE_CODE(member) != FIELD_DECL || DECL_NAME(member) == NULL_TREE) return false;
    const tree type = TREE_TYPE(member);
    if (!POINTER_TYPE_P(type) || !RECORD_OR_UNION_TYPE_P(TREE_TYPE(type))) return false;
    const tree declaration = TYPE_NAME(TYPE_MAIN_VARIANT(TREE_TYPE(type)));
    const bool is_of_program = declaration != NULL_TREE && DECL_P(declaration) &&
                               !in_system_header_at(DECL_SOURCE_LOCATION(declaration));
    return is_of_program &&
           std::string_view(IDENTIFIER_POINTER(DECL_NAME(member))).starts_with("__");
}

}  // namespace

bool is_closure(tree parameter) {
    return parameter != NULL_TREE && TREE_CODE(parameter) == PARM_DECL &&
           DECL_NAME(parameter) != NULL_TREE &&
           std::string_view(IDENTIFIER_POINTER(DECL_NAME(parameter))) == "__closure";
}

tree only_object_in(tree class_type) {
    if (!RECORD_OR_UNION_TYPE_P(class_type) || !has_call_operator(class_type)) return NULL_TREE;
    tree only = NULL_TREE;
    for (tree member = TYPE_FIELDS(class_type); member != NULL_TREE; member = DECL_CHAIN(member)) {
        if (!refers_to_object(member)) continue;
        if (only != NULL_TREE) return NULL_TREE;
        only = member;
    }
    return only;
}

bool is_captured_object(tree reference) {
    if (TREE_CODE(reference) != COMPONENT_REF) return false;
    const tree object = TREE_OPERAND(reference, 0);
    if (TREE_CODE(object) != MEM_REF || !integer_zerop(TREE_OPERAND(object, 1))) return false;
    return is_closure(TREE_OPERAND(object, 0)) &&
           TREE_OPERAND(reference, 1) == only_object_in(TREE_TYPE(object));
}

tree captured_by(SourceWalk& source, tree lambda) {
    if (TREE_CODE(lambda) == ADDR_EXPR) lambda = TREE_OPERAND(lambda, 0);
    if (!VAR_P(lambda)) return NULL_TREE;
    const tree member = only_object_in(TYPE_MAIN_VARIANT(TREE_TYPE(lambda)));
    if (member == NULL_TREE) return NULL_TREE;
    tree captured = NULL_TREE;
    for (const Located& at : source.pointer_writes) {
        const tree written = gimple_assign_lhs(at.statement);
        if (TREE_OPERAND(written, 0) != lambda || TREE_OPERAND(written, 1) != member) continue;
        if (captured != NULL_TREE || !gimple_assign_single_p(at.statement)) return NULL_TREE;
        captured = gimple_assign_rhs1(at.statement);
    }
    return captured;
}

}  // namespace mqinspect::thread_level::plugin
