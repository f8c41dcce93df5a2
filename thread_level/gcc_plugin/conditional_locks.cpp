// Locks that are taken or released under a condition: Skeleton, second part.
#include "thread_level/gcc_plugin/skeleton.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// Where control goes from `block` unless an exception is thrown; null: to one or the other.
basic_block only_follower(basic_block block) {
    basic_block after = nullptr;
    edge e = nullptr;
    edge_iterator at;
    FOR_EACH_EDGE(e, at, block->succs) {
        if ((e->flags & EDGE_EH) != 0) continue;
        if (after != nullptr) return nullptr;
        after = e->dest;
    }
    return after;
}

}  // namespace

void Skeleton::mark_conditional_locks() {
    for (StepId id = 0; id < function_.steps.size(); ++id) {
        Step& step = function_.steps[id];
        const bool is_lock = step.kind == StepKind::Acquire || step.kind == StepKind::Release;
        if ((!is_lock && step.kind != StepKind::Call) || step.turn != Turn::No) continue;
        Value variable;
        if (block_of_step_[id] == nullptr || !is_one_sided(block_of_step_[id], variable)) continue;
        step.is_conditional = true;
        if (is_lock) {
            step.name = variable.name;
        } else {
            step.value = variable;
        }
    }
}

/// Whether a branch right before `block` goes past it: `if (variable) block;`.
bool Skeleton::is_one_sided(basic_block block, Value& variable) const {
    basic_block after = only_follower(block);
    if (!single_pred_p(block) || after == nullptr) return false;
    basic_block branching = single_pred(block);
    gimple* condition = last_statement(branching);
    if (condition == nullptr || gimple_code(condition) != GIMPLE_COND) return false;
    edge e = nullptr;
    edge_iterator at;
    FOR_EACH_EDGE(e, at, branching->succs) {
        if (e->dest != after) continue;
        const Branch* const branch = prepared_.branch_at(condition);
        if (branch != nullptr) variable = branch->variable;
        return true;
    }
    return false;
}

}  // namespace mqinspect::thread_level::plugin
