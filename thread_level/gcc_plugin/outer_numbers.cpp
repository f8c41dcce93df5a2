// The number that who has made a team has in the team around it: Conditions, third part.
#include "thread_level/gcc_plugin/conditions.h"

namespace mqinspect::thread_level::plugin {
namespace {

bool is_parallel(const gimple* construct) {
    return construct != nullptr && gimple_code(construct) == GIMPLE_OMP_PARALLEL;
}

/// omp_get_ancestor_thread_num(1)
bool asks_for_first_level(const gimple* call) {
    const tree callee = gimple_call_fndecl(call);
    if (callee == NULL_TREE || DECL_NAME(callee) == NULL_TREE || gimple_call_num_args(call) != 1)
        return false;
    std::string_view name = IDENTIFIER_POINTER(DECL_NAME(callee));
    if (name.ends_with('_')) name.remove_suffix(1);
    return name.ends_with("omp_get_ancestor_thread_num") &&
           integer_onep(gimple_call_arg(call, 0)) != 0;
}

}  // namespace

/// `outer == 0` in a region, where `outer` is the number of the thread of the region around that.
Branch Conditions::compare_outer(tree_code code, tree left, tree right, ContextId context) {
    if (!integer_zerop(right) || !is_outer_number(left, context)) return {};
    Branch branch;
    Implication& side = code == EQ_EXPR ? branch.when_true : branch.when_false;
    side.condition = Condition::OuterIsZero;
    return branch;
}

bool Conditions::is_outer_number(tree operand, ContextId context) {
    const ContextId team = source_.thread_context(context);
    if (team == 0 || !is_parallel(source_.contexts[team].construct)) return false;
    const ContextId around = source_.contexts[team].parent;
    const ContextId outer = source_.thread_context(around);
    if (outer == 0 || !is_parallel(source_.contexts[outer].construct)) return false;
    constexpr int most_copies = 4;
    for (int i = 0; i < most_copies; ++i) {
        operand = strip(operand);
        if (!is_local_name(operand)) return false;
        const VariableUse* use = source_.use_of(operand);
        if (use == nullptr || use->escapes || !use->handed_over.empty() ||
            use->definitions.size() != 1)
            return false;
        const Located definition = use->definitions.front();
        const ContextId set_in = source_.thread_context(definition.context);
        if (is_gimple_call(definition.statement)) {
            const tree callee = gimple_call_fndecl(definition.statement);
            const bool is_number =
                callee != NULL_TREE && callees_.of(callee).kind == CalleeKind::ThreadNumber;
            // Other functions may be called in a region themselves.
            const bool is_level = set_in == team && asks_for_first_level(definition.statement) &&
                                  MAIN_NAME_P(DECL_NAME(current_function_decl)) &&
                                  source_.thread_context(source_.contexts[outer].parent) == 0;
            const bool is_own =
                TREE_CODE(operand) == SSA_NAME || !source_.is_shared(operand, around);
            return is_level || (is_number && set_in == outer && is_own);
        }
        if (!is_gimple_assign(definition.statement) || !is_copying(definition.statement))
            return false;
        const bool is_other =
            TREE_CODE(operand) != SSA_NAME && set_in != team && source_.is_shared(operand, around);
        if (is_other) return false;
        operand = gimple_assign_rhs1(definition.statement);
    }
    return false;
}

}  // namespace mqinspect::thread_level::plugin
