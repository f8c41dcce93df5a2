// Variables that each thread has for itself: SourceWalk, further part. C++ gets at those of which
// it does not know yet how they begin, as static members of a class, by a function.
#include <string>
#include <string_view>

#include "thread_level/gcc_plugin/source_walk.h"

namespace mqinspect::thread_level::plugin {
namespace {

tree find_own_variable(tree* at, int*, void*) {
    return VAR_P(*at) && DECL_THREAD_LOCAL_P(*at) ? *at : NULL_TREE;
}

/// The variable that such a function of the compiler returns a reference to; null: it is none.
tree variable_given_by(tree function) {
    constexpr std::string_view start = "_ZTW";
    if (function == NULL_TREE || !DECL_ARTIFICIAL(function)) return NULL_TREE;
    const std::string_view symbol = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function));
    if (!symbol.starts_with(start)) return NULL_TREE;
    const std::string name = "_Z" + std::string(symbol.substr(start.size()));
    symtab_node* known = symtab_node::get_for_asmname(get_identifier(name.c_str()));
    if (known != nullptr && VAR_P(known->decl)) return known->decl;
    return walk_tree_without_duplicates(&DECL_SAVED_TREE(function), find_own_variable, nullptr);
}

}  // namespace

void SourceWalk::note_own_reference(const gcall* call) {
    const tree reference = gimple_call_lhs(call);
    if (reference == NULL_TREE || !POINTER_TYPE_P(TREE_TYPE(reference))) return;
    const bool is_temporary =
        TREE_CODE(reference) == SSA_NAME || (VAR_P(reference) && DECL_NAME(reference) == NULL_TREE);
    const tree variable = is_temporary ? variable_given_by(gimple_call_fndecl(call)) : NULL_TREE;
    if (variable != NULL_TREE) own_references_[reference] = variable;
}

tree SourceWalk::own_variable(tree operand) const {
    if (VAR_P(operand)) return DECL_THREAD_LOCAL_P(operand) ? operand : NULL_TREE;
    if (TREE_CODE(operand) != MEM_REF || !integer_zerop(TREE_OPERAND(operand, 1))) return NULL_TREE;
    const auto found = own_references_.find(TREE_OPERAND(operand, 0));
    return found == own_references_.end() ? NULL_TREE : found->second;
}

}  // namespace mqinspect::thread_level::plugin
