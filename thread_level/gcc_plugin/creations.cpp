// What makes the handle or lock in a variable: Values, fourth part.
#include <algorithm>

#include "thread_level/analysis/procedures.h"
#include "thread_level/gcc_plugin/same_copies.h"
#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// Whether the call gets the address of `variable` at that position.
bool is_at(const gimple* call, int position, tree variable) {
    if (position < 0 || static_cast<unsigned>(position) >= gimple_call_num_args(call)) return false;
    return is_address_of(gimple_call_arg(call, static_cast<unsigned>(position)), variable);
}

}  // namespace

/// The constant that an operand is, or the temporary that gfortran makes of one of mpi_f08; else
/// null.
tree Values::only_constant(tree operand) {
    if (is_gimple_min_invariant(operand)) return operand;
    if (!VAR_P(operand) || !DECL_ARTIFICIAL(operand) || is_global_var(operand)) return NULL_TREE;
    const Located* definition = only_definition(operand);
    if (definition == nullptr || !gimple_assign_single_p(definition->statement)) return NULL_TREE;
    const tree written = gimple_assign_rhs1(definition->statement);
    return is_gimple_min_invariant(written) ? written : NULL_TREE;
}

/// What it is set to before it is made, or behind that: no handle that anything can be done with.
bool Values::is_null_handle(const Located& definition) {
    constexpr std::int64_t null_request_of_mpich = 0x2c000000;
    if (!gimple_assign_single_p(definition.statement)) return false;
    const tree written = only_constant(gimple_assign_rhs1(definition.statement));
    if (written == NULL_TREE) return false;
    const Value value = of(written, definition.context);
    if (value.kind == Value::Kind::Predefined)
        return gathering_.unit.strings[value.name] == "MPI_COMM_NULL";
    if (value.kind == Value::Kind::Global)
        return gathering_.unit.strings[value.name].starts_with("ompi_request_null");
    return value.kind == Value::Kind::Constant && value.number == null_request_of_mpich;
}

bool Values::created_once(tree variable) {
    const VariableUse* use = source_.use_of(variable);
    if (use == nullptr || use->escapes) return false;
    const bool is_null_else = std::ranges::all_of(
        use->definitions, [this](const Located& each) { return is_null_handle(each); });
    if (!is_null_else) return false;
    int creations = 0;
    for (const Located& at : use->handed_over) {
        switch (effect_of(at.statement, variable)) {
            case HandleEffect::None:
                if (writes(at.statement, variable, callees_)) return false;
                break;
            case HandleEffect::Makes:
                ++creations;
                break;
            case HandleEffect::Unknown:
                return false;
        }
    }
    return creations == 1;
}

HandleEffect Values::effect_of(gimple* call, tree variable) {
    const tree declaration = gimple_call_fndecl(call);
    if (declaration == NULL_TREE) return HandleEffect::Unknown;
    const Callee& callee = callees_.of(declaration);
    switch (callee.kind) {
        case CalleeKind::MakeLock:
            return HandleEffect::Makes;
        case CalleeKind::Acquire:
        case CalleeKind::TryAcquire:
        case CalleeKind::TryAcquireZero:
        case CalleeKind::Release:
        case CalleeKind::GuardBind:
        case CalleeKind::GuardAcquire:
        case CalleeKind::GuardRelease:
        case CalleeKind::GuardHolds:
        case CalleeKind::Harmless:
            return HandleEffect::None;
        case CalleeKind::Mpi:
            break;
        default:
            return HandleEffect::Unknown;
    }
    if (procedure_of(callee.mpi->name).is_nonblocking && is_at(call, callee.mpi->object, variable))
        return HandleEffect::Makes;
    if (!is_at(call, callee.mpi->made_communicator, variable)) return HandleEffect::None;
    return callee.mpi->name == "MPI_Comm_free" || callee.mpi->name == "MPI_Comm_disconnect"
               ? HandleEffect::None
               : HandleEffect::Makes;
}

}  // namespace mqinspect::thread_level::plugin
