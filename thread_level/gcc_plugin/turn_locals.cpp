// Numbers of a function that its teams share, or that lambdas refer to: TurnUses, sixth part.
#include <algorithm>

#include "thread_level/gcc_plugin/turn_uses.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// No value that could be known if the statement computes it.
tree written_by_assignment(gimple* statement) {
    return gimple_assign_single_p(statement) ? gimple_assign_rhs1(statement) : error_mark_node;
}

}  // namespace

/// Variables of the function that a parallel region writes to, or, if there is MPI in the function,
/// that it tests.
void TurnUses::find_shared_locals(Steps& steps) {
    const auto consider = [&](tree variable, ContextId context) {
        if (!VAR_P(variable) || is_global_var(variable) || DECL_ARTIFICIAL(variable) ||
            DECL_NAME(variable) == NULL_TREE || !INTEGRAL_TYPE_P(TREE_TYPE(variable)) ||
            TYPE_ATOMIC(TREE_TYPE(variable)))
            return;
        if (source_.is_shared(variable, context) && !shared_local(variable))
            add_shared_local(variable, steps);
    };
    for (const Located& at : source_.assignments) {
        const tree left = gimple_assign_lhs(at.statement);
        if (at.context != 0 && gimple_assign_single_p(at.statement)) consider(left, at.context);
    }
    for (const LocatedCall& at : source_.atomic_calls) {
        const tree address =
            gimple_call_num_args(at.call) == 0 ? NULL_TREE : gimple_call_arg(at.call, 0);
        if (address != NULL_TREE && TREE_CODE(address) == ADDR_EXPR)
            consider(TREE_OPERAND(address, 0), at.context);
    }
    for (const Located& at : source_.conditions) {
        if (!source_.has_mpi || at.context == 0) continue;
        const Located* made = made_by(gimple_cond_lhs(at.statement));
        tree tested = gimple_cond_lhs(at.statement);
        if (made != nullptr && is_gimple_assign(made->statement) && is_copying(made->statement))
            tested = strip(gimple_assign_rhs1(made->statement));
        consider(tested, at.context);
    }
    for (const SourceWalk::Atomic& atomic : source_.atomics) {
        const tree address =
            gimple_omp_atomic_load_rhs(as_a<gomp_atomic_load*>(atomic.load.statement));
        if (TREE_CODE(address) == ADDR_EXPR)
            consider(TREE_OPERAND(address, 0), atomic.load.context);
    }
}

/// Numbers that lambdas refer to: where their addresses go, and what lambdas write. False: they go
/// nowhere.
bool TurnUses::find_captured(Steps& steps) {
    bool hands_on = false;
    for (const Located& at : source_.assignments) {
        const tree left = gimple_assign_lhs(at.statement);
        const tree source = gimple_assign_rhs1(at.statement);
        if (!is_field_of_function(left) || !captured(left)) continue;
        hands_on = true;
        if (TREE_CODE(source) != ADDR_EXPR) continue;
        const tree variable = TREE_OPERAND(source, 0);
        const bool is_number = VAR_P(variable) && !is_global_var(variable) &&
                               !DECL_ARTIFICIAL(variable) && DECL_NAME(variable) != NULL_TREE &&
                               INTEGRAL_TYPE_P(TREE_TYPE(variable)) &&
                               !TYPE_ATOMIC(TREE_TYPE(variable));
        if (is_number && !shared_local(variable)) add_shared_local(variable, steps);
    }
    for (const Located& at : source_.element_writes) {
        if (!gimple_assign_single_p(at.statement)) continue;
        if (const auto variable = captured_object(gimple_assign_lhs(at.statement)))
            write(at.statement, *variable, gimple_assign_rhs1(at.statement), steps);
    }
    return hands_on;
}

std::optional<TurnVariable> TurnUses::captured_object(tree object) {
    if (TREE_CODE(object) != MEM_REF || !integer_zerop(TREE_OPERAND(object, 1)))
        return std::nullopt;
    const tree pointer = TREE_OPERAND(object, 0);
    const Located* made = is_local_name(pointer) ? values_.only_definition(pointer) : nullptr;
    if (made == nullptr || !is_copying(made->statement)) return std::nullopt;
    const tree field = gimple_assign_rhs1(made->statement);
    return TREE_CODE(field) == COMPONENT_REF ? captured(field) : std::nullopt;
}

/// Whether its address goes into what lambdas refer to, and nowhere else.
bool TurnUses::is_kept_by_lambdas(tree variable) {
    return std::all_of(
        source_.assignments.begin(), source_.assignments.end(), [&](const Located& at) {
            return !is_address_of(gimple_assign_rhs1(at.statement), variable) ||
                   is_field_of_function(gimple_assign_lhs(at.statement));
        });
}

void TurnUses::add_shared_local(tree variable, Steps& steps) {
    const TurnVariable known = local(variable);
    shared_.emplace(DECL_UID(variable), known);
    const VariableUse* found = source_.use_of(variable);
    const VariableUse use = found == nullptr ? VariableUse{} : *found;
    const auto is_atomic = [this](const Located& at) {
        const tree callee = gimple_call_fndecl(at.statement);
        return callee != NULL_TREE && callees_.of(callee).kind == CalleeKind::Atomic;
    };
    const bool is_known =
        (!use.escapes || is_kept_by_lambdas(variable)) &&
        std::all_of(use.handed_over.begin(), use.handed_over.end(), is_atomic) &&
        std::all_of(use.definitions.begin(), use.definitions.end(), [&](const Located& at) {
            const bool is_assignment = at.context == 0 ? is_gimple_assign(at.statement)
                                                       : gimple_assign_single_p(at.statement);
            return is_assignment && gimple_assign_lhs(at.statement) == variable &&
                   !source_.is_private(variable, at.context);
        });
    if (!is_known) {
        spoil(known);
        return;
    }
    for (const Located& at : use.definitions)
        write(at.statement, known, written_by_assignment(at.statement), steps, at.context == 0);
}

}  // namespace mqinspect::thread_level::plugin
