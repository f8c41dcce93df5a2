// What makes the handle or lock in a variable: Values, fourth part.
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

bool Values::created_once(tree variable) {
    const VariableUse* use = source_.use_of(variable);
    if (use == nullptr || use->escapes || !use->definitions.empty()) return false;
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
