#include "thread_level/gcc_plugin/bound_procedures.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mqinspect::thread_level::plugin {
namespace {

bool is_table(tree type) {
    return TREE_CODE(type) == RECORD_TYPE && name_of_type(type).starts_with("__vtype_");
}

tree field_of(tree table, std::string_view name) {
    for (tree field = TYPE_FIELDS(table); field != NULL_TREE; field = DECL_CHAIN(field)) {
        const bool is_named = TREE_CODE(field) == FIELD_DECL && DECL_NAME(field) != NULL_TREE;
        if (is_named && IDENTIFIER_POINTER(DECL_NAME(field)) == name) return field;
    }
    return NULL_TREE;
}

/// Of the type that the one of `table` extends.
tree parent_of(tree table) {
    const tree field = field_of(table, "_extends");
    if (field == NULL_TREE || !POINTER_TYPE_P(TREE_TYPE(field))) return NULL_TREE;
    const tree parent = TREE_TYPE(TREE_TYPE(field));
    return is_table(parent) && name_of_type(parent) != name_of_type(table) ? parent : NULL_TREE;
}

/// By the first type of the hierarchy that has the binding: a unit that defines a procedure need
/// not know the types that inherit it.
std::string key_of(tree table, tree binding) {
    const std::string_view name = IDENTIFIER_POINTER(DECL_NAME(binding));
    for (tree parent = parent_of(table); parent != NULL_TREE && field_of(parent, name) != NULL_TREE;
         parent = parent_of(table))
        table = parent;
    return std::string(name_of_type(table)) + "::" + std::string(name);
}

tree function_at(tree value) {
    while (value != NULL_TREE && CONVERT_EXPR_P(value))
        value = TREE_OPERAND(value, 0);
    if (value == NULL_TREE || TREE_CODE(value) != ADDR_EXPR) return NULL_TREE;
    const tree function = TREE_OPERAND(value, 0);
    return TREE_CODE(function) == FUNCTION_DECL ? function : NULL_TREE;
}

bool is_only_in_tables(cgraph_node* node) {
    ipa_ref* reference = nullptr;
    bool is_in_one = false;
    for (unsigned i = 0; node->iterate_referring(i, reference); ++i) {
        if (reference->use != IPA_REF_ADDR) continue;
        const tree from = reference->referring->decl;
        if (!VAR_P(from) || !is_table(TREE_TYPE(from))) return false;
        is_in_one = true;
    }
    return is_in_one;
}

}  // namespace

std::string binding_key(tree reference) {
    if (TREE_CODE(reference) != COMPONENT_REF) return {};
    const tree field = TREE_OPERAND(reference, 1);
    const tree table = DECL_CONTEXT(field);
    if (table == NULL_TREE || !is_table(table) || DECL_NAME(field) == NULL_TREE) return {};
    return key_of(table, field);
}

void add_bindings(Gathering& gathering) {
    std::unordered_map<StringId, std::vector<StringId>> bindings;
    varpool_node* node = nullptr;
    FOR_EACH_VARIABLE(node) {
        const tree initial = DECL_INITIAL(node->decl);
        const tree type = TREE_TYPE(node->decl);
        if (!is_table(type) || initial == NULL_TREE || TREE_CODE(initial) != CONSTRUCTOR) continue;
        for (unsigned i = 0; i < CONSTRUCTOR_NELTS(initial); ++i) {
            const tree field = CONSTRUCTOR_ELT(initial, i)->index;
            const tree function = function_at(CONSTRUCTOR_ELT(initial, i)->value);
            if (function == NULL_TREE || field == NULL_TREE) continue;
            bindings[gathering.symbol(function)].push_back(gathering.intern(key_of(type, field)));
        }
    }
    for (std::size_t id = 0; id < gathering.unit.functions.size(); ++id) {
        Function& function = gathering.unit.functions[id];
        const auto found = bindings.find(function.symbol);
        if (found == bindings.end()) continue;
        std::vector<StringId>& keys = found->second;
        std::sort(keys.begin(), keys.end());
        keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
        function.overrides = keys;
        cgraph_node* of = cgraph_node::get(gathering.declarations[id]);
        if (of == nullptr || !is_only_in_tables(of)) continue;
        function.address_taken = false;
        function.type = 0;
    }
}

}  // namespace mqinspect::thread_level::plugin
