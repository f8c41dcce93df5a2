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

/// Where a barrier is under a condition on an argument: the way around it, which a call with a
/// constant rules out.
void Skeleton::add_ways_around() {
    const auto is_inside = [this](RegionId region, RegionId outer) {
        while (region != outer && region != 0)
            region = function_.regions[region].parent;
        return region == outer;
    };
    const auto has_barrier = [&](RegionId guard) {
        return std::any_of(function_.steps.begin(), function_.steps.end(), [&](const Step& step) {
            const bool waits =
                step.kind == StepKind::Barrier ||
                (step.kind == StepKind::Leave && function_.regions[step.target].barrier_at_end);
            return waits && is_inside(step.region, guard);
        });
    };
    for (const auto& [guarding, id] : guards_) {
        const Condition condition = function_.regions[id].condition;
        const bool asks =
            condition == Condition::ArgumentIs || condition == Condition::ArgumentIsNot;
        if (!asks || EDGE_COUNT(guarding->src->succs) != 2 || !has_barrier(id)) continue;
        edge around = EDGE_SUCC(guarding->src, EDGE_SUCC(guarding->src, 0) == guarding ? 1 : 0);
        const bool is_guarded =
            std::any_of(guards_.begin(), guards_.end(), [around](const auto& guard) {
                return guard.first == around;
            });
        const Implication side = implication_of(around);
        if (is_guarded || on_edge_.contains(around) || side.condition == Condition::None) continue;
        Region guard = function_.regions[id];
        guard.condition = side.condition;
        guard.number = side.number;
        function_.regions.push_back(guard);
        const auto region = static_cast<RegionId>(function_.regions.size() - 1);
        on_edge_[around] =
            add_step(nullptr, make(StepKind::Way, region, UNKNOWN_LOCATION), nullptr);
    }
}

}  // namespace mqinspect::thread_level::plugin
