#include "thread_level/gcc_plugin/same_copies.h"

#include <algorithm>

#include "thread_level/analysis/procedures.h"
#include "thread_level/gcc_plugin/lock_types.h"
#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {
namespace {

bool names(tree clauses, omp_clause_code code, tree variable) {
    for (tree clause = omp_find_clause(clauses, code); clause != NULL_TREE;
         clause = omp_find_clause(OMP_CLAUSE_CHAIN(clause), code)) {
        if (OMP_CLAUSE_DECL(clause) == variable) return true;
    }
    return false;
}

/// Whether a call of MPI only uses the handle or number that it gets by its address. What it frees
/// or completes is still the one that all copies are of.
bool leaves_alone(const gcall* call, unsigned position, Callees& callees) {
    const tree declaration = gimple_call_fndecl(call);
    const MpiProcedure* mpi = declaration == NULL_TREE ? nullptr : callees.of(declaration).mpi;
    if (mpi == nullptr) return false;
    const auto at = static_cast<int>(position);
    if (at == mpi->communicator || at == mpi->peer || at == mpi->tag || at == mpi->count)
        return true;
    if (at != mpi->object) return false;
    const Use use = procedure_of(mpi->name).use;
    return use == Use::Completion || use == Use::ObjectCollective || use == Use::Epoch;
}

bool changes(tree variable, const gimple* statement, Callees& callees) {
    const tree left = gimple_get_lhs(statement);
    if (left != NULL_TREE && base_variable(left) == variable) return !gimple_clobber_p(statement);
    if (is_gimple_assign(statement)) return is_address_of(gimple_assign_rhs1(statement), variable);
    if (!is_gimple_call(statement)) return false;
    const gcall* call = as_a<const gcall*>(statement);
    for (unsigned i = 0; i < gimple_call_num_args(call); ++i) {
        if (is_address_of(gimple_call_arg(call, i), variable) && !leaves_alone(call, i, callees))
            return true;
    }
    return false;
}

/// Copies of another object may be other ones.
bool is_handle(tree type) {
    return (is_handle_type(type) && !is_lock_type(type)) || is_array_of_handles(type) ||
           is_integer_of_fortran(type);
}

/// may_be_written() of the construct of `team`, which is asked for each mention of a variable.
bool may_team_write(tree variable, ContextId team, SourceWalk& source, Callees& callees) {
    const auto [known, is_new] = source.team_writes.try_emplace({DECL_UID(variable), team});
    if (is_new) known->second = may_be_written(variable, source.contexts[team].construct, callees);
    return known->second;
}

/// Whether the call only waits for the request in `variable`, or the like.
bool only_completes(const gcall* call, tree variable, Callees& callees) {
    for (unsigned i = 0; i < gimple_call_num_args(call); ++i) {
        if (is_address_of(gimple_call_arg(call, i), variable) && !completes(call, i, callees))
            return false;
    }
    return true;
}

}  // namespace

bool completes(const gcall* call, unsigned position, Callees& callees) {
    const tree declaration = gimple_call_fndecl(call);
    const MpiProcedure* mpi = declaration == NULL_TREE ? nullptr : callees.of(declaration).mpi;
    return mpi != nullptr && static_cast<int>(position) == mpi->object &&
           procedure_of(mpi->name).use == Use::Completion;
}

bool writes(const gimple* call, tree variable, Callees& callees) {
    const tree declaration = gimple_call_fndecl(call);
    return declaration != NULL_TREE && callees.of(declaration).mpi != nullptr &&
           changes(variable, call, callees);
}

bool may_be_written(tree variable, gimple* construct, Callees& callees) {
    struct Search {
        Callees& callees;
        tree variable;
    } search{callees, variable};
    walk_stmt_info info = {};
    info.info = &search;
    const auto visit = [](gimple_stmt_iterator* at, bool* is_done, walk_stmt_info* walk) -> tree {
        const Search& wanted = *static_cast<const Search*>(walk->info);
        gimple* statement = gsi_stmt(*at);
        *is_done = gimple_code(statement) == GIMPLE_OMP_SINGLE &&
                   names(clauses_of(statement), OMP_CLAUSE_COPYPRIVATE, wanted.variable);
        if (*is_done || !changes(wanted.variable, statement, wanted.callees)) return NULL_TREE;
        *is_done = true;
        return wanted.variable;
    };
    return walk_gimple_seq(gimple_omp_body(construct), visit, nullptr, &info) != nullptr;
}

bool have_one(tree variable, ContextId context, SourceWalk& source, Callees& callees) {
    if (source.is_shared(variable, context)) return true;
    if (!is_handle(TREE_TYPE(variable)) || source.is_loop_index(variable)) return false;
    const ContextId team = source.parallel_context(context);
    return team != 0 && !may_team_write(variable, team, source, callees);
}

Value copied_request(tree variable, Values& values, SourceWalk& source, Callees& callees) {
    const VariableUse* use = source.use_of(variable);
    const Located* definition =
        use == nullptr || use->escapes ? nullptr : source.one_definition(*use);
    if (definition == nullptr || !is_copying(definition->statement) || use->handed_over.empty() ||
        !std::ranges::all_of(use->handed_over, [&](const Located& at) {
            return only_completes(as_a<const gcall*>(at.statement), variable, callees);
        }))
        return {};
    const tree from = values.copied_address(gimple_assign_rhs1(definition->statement));
    if (!VAR_P(from) || from == variable) return {};
    if (is_static(from)) {
        Value value = values.of(from, definition->context);
        value.created_once = true;
        return value.kind == Value::Kind::Global ? value : Value{};
    }
    const ContextId team = source.parallel_context(definition->context);
    const bool is_one = team != 0 && source.is_shared(from, definition->context) &&
                        !may_team_write(from, team, source, callees);
    return is_one ? values.of(from, definition->context) : Value{};
}

}  // namespace mqinspect::thread_level::plugin
