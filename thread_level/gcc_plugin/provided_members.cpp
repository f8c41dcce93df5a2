// The thread level that MPI provides, where a member of a class keeps it: Conditions, third part.
#include "thread_level/gcc_plugin/conditions.h"

namespace mqinspect::thread_level::plugin {

/// Which members have a level, only the whole unit tells.
Conditions::Operand Conditions::classify_member(tree reference) {
    if (TREE_CODE(TREE_TYPE(reference)) != INTEGER_TYPE) return {};
    if (!source_.has_mpi && !source_.has_threads) return {};
    const ProvidedField& field = provided_field(reference, gathering_);
    Operand level;
    if (field.name == 0) return level;
    level.quantity = Quantity::Provided;
    level.provided_global = DECL_UID(TREE_OPERAND(reference, 1));
    level.global.kind = Value::Kind::Global;
    level.global.name = field.name;
    return level;
}

void Conditions::note_copied_levels() {
    for (const Located& at : source_.member_writes) {
        const tree copied = gimple_assign_rhs1(at.statement);
        if (!gimple_assign_single_p(at.statement) || !is_local_name(copied)) continue;
        operands_left_ = kMostOperands;
        const Operand operand = classify(copied, at.context, kDepth);
        if (operand.quantity == Quantity::Provided && operand.provided_global == 0)
            provided_field(gimple_assign_lhs(at.statement), gathering_).is_level = true;
    }
}

}  // namespace mqinspect::thread_level::plugin
