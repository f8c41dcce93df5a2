// The thread number where a member of a class, or a variable of each thread, keeps it: Conditions,
// fourth part. What all of the unit writes to it is the number, or a constant. To ask it is taken
// for the call of a function by its name, until the unit is complete.
#include "thread_level/gcc_plugin/conditions.h"

namespace mqinspect::thread_level::plugin {

StringId Conditions::number_keeper(unsigned declaration, StringId name) {
    if (name != 0) gathering_.number_keepers.try_emplace(name, declaration);
    return name;
}

void Conditions::note_number(tree keeper, const Located& write) {
    const bool is_copy = is_copying(write.statement);
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
