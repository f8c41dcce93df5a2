#include "thread_level/gcc_plugin/function_casts.h"

#include <algorithm>
#include <string>

#include "thread_level/facts/signature.h"

namespace mqinspect::thread_level::plugin {
namespace {

std::string signature_of(tree function_type) {
    return function_type == NULL_TREE ? std::string() : type_key(function_type);
}

/// A pointer to functions of the type `to` has been one of the type `from`. Either may be null:
/// none to functions at all. A function itself has one type only; such a pointer may have had
/// others before.
void note_cast(Gathering& gathering, tree to, tree from, bool is_function) {
    if (to == from) return;
    if (from != NULL_TREE && to != NULL_TREE && TYPE_MAIN_VARIANT(from) == TYPE_MAIN_VARIANT(to))
        return;
    const std::string called = signature_of(to);
    const std::string own = signature_of(from);
    const bool is_told = tells_pointees(called);
    if (!is_told && shape_of_signature(called) == shape_of_signature(own)) return;
    if (is_function && is_told ? are_compatible(called, own) : called == own) return;
    gathering.unit.casts.push_back({.to = gathering.intern(called), .from = gathering.intern(own)});
}

/// `value` gets to where something of the type `to` is.
void note_value(Gathering& gathering, tree to, tree value) {
    STRIP_NOPS(value);
    if (TREE_CODE(value) == INTEGER_CST) return;
    const tree target = pointed_function_type(to);
    const bool is_function =
        TREE_CODE(value) == ADDR_EXPR && TREE_CODE(TREE_OPERAND(value, 0)) == FUNCTION_DECL;
    note_cast(gathering, target, pointed_function_type(TREE_TYPE(value)), is_function);
}

bool refers_to_function(varpool_node& variable) {
    ipa_ref* reference = nullptr;
    for (unsigned i = 0; variable.iterate_reference(i, reference); ++i) {
        if (TREE_CODE(reference->referred->decl) == FUNCTION_DECL) return true;
    }
    return false;
}

void visit_initial(tree holder, tree type, tree value, const InitialVisitor& visit) {
    if (TREE_CODE(value) != CONSTRUCTOR) {
        visit(holder, type, value);
        return;
    }
    const bool is_array = TREE_CODE(type) == ARRAY_TYPE;
    unsigned at = 0;
    tree index = NULL_TREE;
    tree part = NULL_TREE;
    FOR_EACH_CONSTRUCTOR_ELT(CONSTRUCTOR_ELTS(value), at, index, part) {
        if (is_array) {
            visit_initial(holder, TREE_TYPE(type), part, visit);
        } else if (index != NULL_TREE && TREE_CODE(index) == FIELD_DECL) {
            visit_initial(index, TREE_TYPE(index), part, visit);
        }
    }
}

}  // namespace

tree pointed_function_type(tree type) {
    if (!POINTER_TYPE_P(type)) return NULL_TREE;
    return TREE_CODE(TREE_TYPE(type)) == FUNCTION_TYPE ? TREE_TYPE(type) : NULL_TREE;
}

void for_each_initial(const InitialVisitor& visit) {
    varpool_node* node = nullptr;
    FOR_EACH_VARIABLE(node) {
        const tree initial = DECL_INITIAL(node->decl);
        if (initial != NULL_TREE && initial != error_mark_node && !DECL_VIRTUAL_P(node->decl) &&
            refers_to_function(*node))
            visit_initial(node->decl, TREE_TYPE(node->decl), initial, visit);
    }
}

void note_casts(Gathering& gathering, const gimple* statement) {
    if (is_fortran()) return;
    if (is_gimple_assign(statement)) {
        if (gimple_assign_single_p(statement) || gimple_assign_cast_p(statement)) {
            note_value(
                gathering, TREE_TYPE(gimple_assign_lhs(statement)), gimple_assign_rhs1(statement));
        }
        return;
    }
    const tree type = gimple_call_fntype(statement);
    if (type == NULL_TREE) return;
    if (gimple_call_fndecl(statement) == NULL_TREE) {
        const tree pointed = pointed_function_type(TREE_TYPE(gimple_call_fn(statement)));
        if (pointed != NULL_TREE) note_cast(gathering, type, pointed, false);
    }
    const tree left = gimple_call_lhs(statement);
    const tree target = left == NULL_TREE ? NULL_TREE : pointed_function_type(TREE_TYPE(left));
    if (target != NULL_TREE)
        note_cast(gathering, target, pointed_function_type(TREE_TYPE(type)), false);
    // What is one of `...` comes out as it went in.
    tree formal = TYPE_ARG_TYPES(type);
    for (unsigned i = 0; formal != NULL_TREE && i < gimple_call_num_args(statement); ++i) {
        note_value(gathering, TREE_VALUE(formal), gimple_call_arg(statement, i));
        formal = TREE_CHAIN(formal);
    }
}

void add_casts(Gathering& gathering) {
    if (is_fortran()) return;
    for_each_initial([&](tree, tree type, tree value) { note_value(gathering, type, value); });
    std::vector<SignatureCast>& casts = gathering.unit.casts;
    std::sort(casts.begin(), casts.end());
    casts.erase(std::unique(casts.begin(), casts.end()), casts.end());
}

}  // namespace mqinspect::thread_level::plugin
