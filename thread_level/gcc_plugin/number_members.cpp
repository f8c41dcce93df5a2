// The thread number where a member of a class, or a variable of each thread, keeps it: Conditions,
// fourth part. What all of the unit writes to it is the number, or a constant. To ask it is taken
// for the call of a function by its name, until the unit is complete.
#include "thread_level/gcc_plugin/conditions.h"

namespace mqinspect::thread_level::plugin {

StringId Conditions::number_keeper(tree reference) {
    const bool is_member = TREE_CODE(reference) == COMPONENT_REF;
    const tree declaration = is_member ? TREE_OPERAND(reference, 1) : reference;
    if (DECL_NAME(declaration) == NULL_TREE) return 0;
    const StringId name = is_member ? gathering_.intern(member_name(reference) + "()")
                                    : gathering_.symbol(declaration);
    gathering_.number_keepers.try_emplace(name, DECL_UID(declaration));
    return name;
}

void Conditions::note_number(tree keeper, const Located& write) {
    const bool is_copy =
        gimple_assign_single_p(write.statement) || gimple_assign_cast_p(write.statement);
    const tree written = gimple_assign_rhs1(write.statement);
    if (is_copy && TREE_CODE(written) == INTEGER_CST) return;
    operands_left_ = kMostOperands;
    const bool is_number =
        is_copy && source_.has_threads &&
        classify(written, write.context, kDepth).quantity == Quantity::ThreadNumber;
    NumberUse& use = gathering_.number_uses[DECL_UID(keeper)];
    (is_number ? use.is_number : use.is_other) = true;
}

void Conditions::note_numbers() {
    for (const Located& at : source_.member_writes)
        note_number(TREE_OPERAND(gimple_assign_lhs(at.statement), 1), at);
    for (const Located& at : source_.own_writes)
        note_number(gimple_assign_lhs(at.statement), at);
}

}  // namespace mqinspect::thread_level::plugin
