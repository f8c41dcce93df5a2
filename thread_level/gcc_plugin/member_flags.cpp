// Flags in objects that one thread sets, and all others take back: Conditions, further part.
#include <algorithm>

#include "thread_level/gcc_plugin/conditions.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// Whether both are the same member of one object, that a variable is or points to.
bool is_same_member(Values& values, tree one, tree other) {
    if (TREE_OPERAND(one, 1) != TREE_OPERAND(other, 1)) return false;
    one = TREE_OPERAND(one, 0);
    other = TREE_OPERAND(other, 0);
    if (operand_equal_p(one, other, 0) != 0) return true;
    if (TREE_CODE(one) != MEM_REF || TREE_CODE(other) != MEM_REF ||
        tree_int_cst_equal(TREE_OPERAND(one, 1), TREE_OPERAND(other, 1)) == 0)
        return false;
    const auto pointer_to = [&values](tree object) {
        const tree pointer = TREE_OPERAND(object, 0);
        const Located* copy = is_local_name(pointer) ? values.only_definition(pointer) : nullptr;
        const bool is_copy = copy != nullptr && is_gimple_assign(copy->statement) &&
                             gimple_assign_single_p(copy->statement);
        return is_copy ? gimple_assign_rhs1(copy->statement) : pointer;
    };
    return operand_equal_p(pointer_to(one), pointer_to(other), 0) != 0;
}

bool is_zero_written(const Located& write) {
    return integer_zerop(gimple_assign_rhs1(write.statement)) != 0;
}

}  // namespace

/// `if (thread == 0) object->flag = 1; else object->flag = 0;`. All threads write, at the same
/// time, so that each has an object of its own.
void Conditions::find_flags_by_branch() {
    constexpr std::size_t most_between = 8;
    flags_by_branch_.clear();
    const std::vector<Located>& writes = source_.member_writes;
    for (std::size_t i = 0; i < writes.size(); ++i) {
        if (!is_constant(writes[i].statement)) continue;
        const std::size_t end = std::min(writes.size(), i + most_between);
        for (std::size_t j = i + 1; j < end; ++j) {
            const bool is_pair = is_constant(writes[j].statement) &&
                                 writes[i].context == writes[j].context &&
                                 is_zero_written(writes[i]) != is_zero_written(writes[j]) &&
                                 is_same_member(values_,
                                                gimple_assign_lhs(writes[i].statement),
                                                gimple_assign_lhs(writes[j].statement));
            if (!is_pair) continue;
            const bool is_zero_first = is_zero_written(writes[i]);
            gimple* const set = writes[is_zero_first ? j : i].statement;
            const Implication yes = set_by_branch(set, writes[is_zero_first ? i : j].statement);
            if (yes.condition != Condition::None) flags_by_branch_.emplace(set, yes);
        }
    }
}

/// What is known where `set` is executed, if the branch that leads to it says whether the number of
/// the thread is 0, and leads to `unset` otherwise.
Implication Conditions::set_by_branch(gimple* set, gimple* unset) {
    const tree label = source_.label_of_way(set);
    const tree otherwise = label == NULL_TREE ? NULL_TREE : source_.label_of_way(unset);
    if (otherwise == NULL_TREE) return {};
    for (const bool is_true_side : {true, false}) {
        const Located* branch = source_.only_branch_to(label, is_true_side);
        if (branch == nullptr || source_.only_branch_to(otherwise, !is_true_side) != branch)
            continue;
        operands_left_ = kMostOperands;
        const Branch said = compare(gimple_cond_code(branch->statement),
                                    gimple_cond_lhs(branch->statement),
                                    gimple_cond_rhs(branch->statement),
                                    branch->context,
                                    kDepth);
        const Implication& yes = is_true_side ? said.when_true : said.when_false;
        const Implication& no = is_true_side ? said.when_false : said.when_true;
        // What a function gives may be the number, or whether that is 0.
        const bool is_first =
            yes.condition == Condition::ThreadIsZero && no.condition == Condition::ThreadIsNotZero;
        const bool is_other =
            yes.condition == Condition::ThreadIsNotZero && no.condition == Condition::ThreadIsZero;
        return is_first || (is_other && yes.wrapper != 0) ? yes : Implication{};
    }
    return {};
}

/// Of a write of a constant to `keeper`, what is known of the thread that has it there.
Implication Conditions::known_where_set(const Keeper& keeper, const Located& write) {
    if (keeper.own_name == 0) {
        const auto flag = flags_by_branch_.find(write.statement);
        return flag == flags_by_branch_.end() ? Implication{} : flag->second;
    }
    operands_left_ = kMostOperands;
    return known_at(write, kDepth);
}

}  // namespace mqinspect::thread_level::plugin
