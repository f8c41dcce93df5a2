// Locks that are taken or released under a condition: Skeleton, second part.
#include <algorithm>

#include "thread_level/facts/relations.h"
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
        if (is_done_there(id)) continue;
        step.is_conditional = true;
        if (is_lock) {
            step.name = variable.name;
        } else {
            step.value = variable;
        }
    }
}

/// Whether a lock is taken and released on the one side of the branch: `if (ready) { lock; send;
/// unlock; }`. Of calls, which may be of such, that MPI is called there, too.
bool Skeleton::is_done_there(StepId id) const {
    const std::vector<Step>& steps = function_.steps;
    const Step& step = steps[id];
    const bool is_call = step.kind == StepKind::Call;
    const StepKind other = step.kind == StepKind::Acquire ? StepKind::Release : StepKind::Acquire;
    const auto is_other = [&](StepId at) {
        if (is_call) return steps[at].kind == StepKind::Mpi;
        return steps[at].kind == other && steps[at].value == step.value;
    };
    const bool looks_back = is_call || step.kind == StepKind::Release;
    const bool looks_ahead = is_call || step.kind == StepKind::Acquire;
    for (StepId at = id; looks_back && at-- > 0 && block_of_step_[at] == block_of_step_[id];)
        if (is_other(at)) return true;
    for (StepId at = id + 1; looks_ahead && at < steps.size(); ++at) {
        if (block_of_step_[at] != block_of_step_[id]) break;
        if (is_other(at)) return true;
    }
    return false;
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

/// Where a barrier or a lock is under a condition on an argument: the ways around it, which a call
/// with a constant rules out.
void Skeleton::add_ways_around() {
    const auto is_inside = [this](RegionId region, RegionId outer) {
        while (region != outer && region != 0)
            region = function_.regions[region].parent;
        return region == outer;
    };
    const auto matters = [&](RegionId guard) {
        return std::any_of(function_.steps.begin(), function_.steps.end(), [&](const Step& step) {
            const bool waits =
                step.kind == StepKind::Barrier ||
                (step.kind == StepKind::Leave && function_.regions[step.target].barrier_at_end);
            const bool locks = step.kind == StepKind::Acquire || step.kind == StepKind::Release;
            return (waits || locks) && is_inside(step.region, guard);
        });
    };
    for (const auto& [guarding, id] : guards_) {
        if (!compares_argument(function_.regions[id]) || !matters(id)) continue;
        edge around = nullptr;
        edge_iterator at;
        FOR_EACH_EDGE(around, at, guarding->src->succs) add_way_around(guarding, around, id);
    }
}

/// Of a guard on the way along `guarding`: the way along `around`, which it shuts out.
void Skeleton::add_way_around(edge guarding, edge around, RegionId id) {
    const bool is_guarded =
        std::any_of(guards_.begin(), guards_.end(), [around](const auto& guard) {
            return guard.first == around;
        });
    if (around == guarding || is_guarded || on_edge_.contains(around)) return;
    Region guard = function_.regions[id];
    // There may be several guards on one way, inside of each other.
    const auto is_of_way = [&](const auto& other) {
        return other.first == guarding && other.second == guard.parent;
    };
    while (std::ranges::any_of(guards_, is_of_way))
        guard.parent = function_.regions[guard.parent].parent;
    const RegionId outer = guard.parent;
    const auto add = [&] {
        function_.regions.push_back(guard);
        guard.parent = static_cast<RegionId>(function_.regions.size() - 1);
    };
    if (gimple_code(last_statement(guarding->src)) == GIMPLE_COND) {
        const Implication side = implication_of(around);
        const bool is_of_it = side.tested == guard.tested && side.wrapper == guard.wrapper;
        if (side.condition != Condition::None && is_of_it) {
            guard.condition = side.condition;
            guard.number = side.number;
            add();
        }
        guard.wrapper = 0;
        for (const ArgumentFact& fact : written_.on_way(around)) {
            guard.condition = fact.is_equal ? Condition::ArgumentIs : Condition::ArgumentIsNot;
            guard.number = fact.number;
            guard.tested = fact.tested;
            const bool is_said = is_of_it && side.condition == guard.condition &&
                                 side.number == guard.number && side.tested == guard.tested;
            if (!is_said) add();
        }
    } else {
        // None of the numbers that a switch has labels for.
        for (const auto& [other, said] : guards_) {
            const Region& on = function_.regions[said];
            if (other->src != guarding->src || on.condition != Condition::ArgumentIs) continue;
            guard.condition = Condition::ArgumentIsNot;
            guard.number = on.number;
            add();
        }
    }
    if (guard.parent == outer) return;
    on_edge_[around] =
        add_step(nullptr, make(StepKind::Way, guard.parent, UNKNOWN_LOCATION), nullptr);
}

}  // namespace mqinspect::thread_level::plugin
