// What changes or may change the variables of a function: SourceWalk, further part.
#include <algorithm>

#include "thread_level/gcc_plugin/source_walk.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// Of what a lambda captures by reference.
bool refers_to_number(tree member) {
    return TREE_CODE(member) == COMPONENT_REF && TREE_CODE(TREE_TYPE(member)) == REFERENCE_TYPE &&
           is_number_or_flag(referred_type(member));
}

/// Who refers to a variable that begins with a constant may well write to it.
bool is_computed_once(const VariableUse& use) {
    return use.definitions.size() == 1 && !is_constant(use.definitions.front().statement);
}

}  // namespace

void SourceWalk::collect_uses() {
    uses_collected_ = true;
    for (const Located& at : assignments) {
        const tree variable = base_variable(gimple_assign_lhs(at.statement));
        if (variable != NULL_TREE && is_local(variable) && !gimple_clobber_p(at.statement))
            uses_[DECL_UID(variable)].definitions.push_back(at);
        const tree source = gimple_assign_rhs1(at.statement);
        if (TREE_CODE(source) != ADDR_EXPR) continue;
        const tree base = base_variable(TREE_OPERAND(source, 0));
        const tree left = gimple_assign_lhs(at.statement);
        const bool to_local_pointer =
            TREE_CODE(left) == SSA_NAME || (VAR_P(left) && is_local(left));
        if (base == NULL_TREE || to_local_pointer) continue;
        VariableUse& use = uses_[DECL_UID(base)];
        (refers_to_number(left) ? use.is_referred : use.escapes) = true;
    }
    for (const Atomic& at : atomics) {
        const tree loaded = gimple_omp_atomic_load_lhs(as_a<gomp_atomic_load*>(at.load.statement));
        if (DECL_P(loaded)) uses_[DECL_UID(loaded)].definitions.push_back(at.load);
    }
    for (const Located& at : any_calls) {
        const tree left = gimple_call_lhs(at.statement);
        const tree variable = left == NULL_TREE ? NULL_TREE : base_variable(left);
        if (variable != NULL_TREE && is_local(variable))
            uses_[DECL_UID(variable)].definitions.push_back(at);
        collect_addresses(at);
    }
    for (auto& [variable, use] : uses_)
        use.escapes = use.escapes || (use.is_referred && !is_computed_once(use));
}

void SourceWalk::collect_addresses(const Located& at) {
    for (unsigned i = 0; i < gimple_call_num_args(at.statement); ++i) {
        const tree argument = gimple_call_arg(at.statement, i);
        if (TREE_CODE(argument) != ADDR_EXPR || is_intent_in(at.statement, i)) continue;
        const tree base = base_variable(TREE_OPERAND(argument, 0));
        if (base != NULL_TREE && is_local(base)) uses_[DECL_UID(base)].handed_over.push_back(at);
    }
}

}  // namespace mqinspect::thread_level::plugin
