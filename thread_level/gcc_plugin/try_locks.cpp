// Locks that are taken or not, as a result tells: Skeleton, third part.
#include <optional>
#include <unordered_set>
#include <vector>

#include "thread_level/gcc_plugin/own_try_locks.h"
#include "thread_level/gcc_plugin/skeleton.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// Of x == 0 and x != 0: whether x is 0 where it is true.
std::optional<bool> compares_with_zero(tree_code code, tree right) {
    if ((code != EQ_EXPR && code != NE_EXPR) || !integer_zerop(right)) return std::nullopt;
    return code == EQ_EXPR;
}

/// Whether the block sets `variable`, in front of `call` if that is in it.
bool sets(basic_block block, tree variable, const gimple* call) {
    for (gimple_stmt_iterator at = gsi_start_nondebug_bb(block); !gsi_end_p(at);
         gsi_next_nondebug(&at)) {
        gimple* statement = gsi_stmt(at);
        if (statement == call) return false;
        if (is_gimple_assign(statement) && gimple_assign_lhs(statement) == variable) return true;
    }
    return false;
}

/// Where it goes on from the block on that side of its branch.
std::vector<basic_block> blocks_behind(basic_block block, int side) {
    std::vector<basic_block> blocks;
    edge e = nullptr;
    edge_iterator at;
    FOR_EACH_EDGE(e, at, block->succs) {
        if ((e->flags & side) != 0) blocks.push_back(e->dest);
    }
    return blocks;
}

}  // namespace

std::optional<bool> is_zero_if_true(basic_block block, tree variable) {
    gimple* condition = last_statement(block);
    if (condition == nullptr || gimple_code(condition) != GIMPLE_COND) return std::nullopt;
    tree tested = gimple_cond_lhs(condition);
    auto is_zero = compares_with_zero(gimple_cond_code(condition), gimple_cond_rhs(condition));
    for (gimple_stmt_iterator at = gsi_last_nondebug_bb(block); is_zero && !gsi_end_p(at);
         gsi_prev_nondebug(&at)) {
        if (tested == variable) return is_zero;
        gimple* statement = gsi_stmt(at);
        const bool is_memory = !DECL_P(tested) && TREE_CODE(tested) != SSA_NAME;
        if (is_memory && is_gimple_call(statement)) return std::nullopt;
        if (!is_gimple_assign(statement)) continue;
        const tree written = gimple_assign_lhs(statement);
        if (written != tested && !(is_memory && operand_equal_p(written, tested, 0))) {
            if (is_memory && !is_local_name(written)) return std::nullopt;
            continue;
        }
        tested = gimple_assign_rhs1(statement);
        while (TREE_CODE(tested) == VIEW_CONVERT_EXPR && INTEGRAL_TYPE_P(TREE_TYPE(tested)))
            tested = TREE_OPERAND(tested, 0);
        const auto negation = negates(statement);
        if (!negation && !is_copying(statement)) return std::nullopt;
        is_zero = *is_zero != negation.value_or(false);
    }
    return tested == variable ? is_zero : std::nullopt;
}

basic_block testing_block(basic_block block, const gimple* call) {
    if (last_statement(block) != call) return block;
    basic_block next = nullptr;
    edge e = nullptr;
    edge_iterator at;
    FOR_EACH_EDGE(e, at, block->succs) {
        if ((e->flags & EDGE_EH) != 0) continue;
        if (next != nullptr) return block;
        next = e->dest;
    }
    return next != nullptr && single_pred_p(next) ? next : block;
}

/// Where the call, at the end of `block`, has found something else, that is what it would expect
/// the next time, unless the variable is set before.
bool Skeleton::expects_again(basic_block block, const gimple* call, int failing_side) const {
    const tree address = expected_by(call);
    if (TREE_CODE(address) != ADDR_EXPR) return true;
    const tree variable = TREE_OPERAND(address, 0);
    std::vector<basic_block> open = blocks_behind(block, failing_side);
    edge e = nullptr;
    edge_iterator at;
    std::unordered_set<int> seen;
    while (!open.empty()) {
        basic_block next = open.back();
        open.pop_back();
        if (!seen.insert(next->index).second || sets(next, variable, call)) continue;
        if (next == block) return false;
        FOR_EACH_EDGE(e, at, next->succs) open.push_back(e->dest);
    }
    return true;
}

/// Whether the function comes to its end without another try, and nothing tells its caller so.
bool Skeleton::gives_up(basic_block block, basic_block testing, int failing_side) const {
    if (!VOID_TYPE_P(TREE_TYPE(TREE_TYPE(current_function_decl))) || prepared_.writes_memory())
        return false;
    std::vector<basic_block> open = blocks_behind(testing, failing_side);
    edge e = nullptr;
    edge_iterator at;
    std::unordered_set<int> seen = {block->index};
    while (!open.empty()) {
        basic_block next = open.back();
        open.pop_back();
        if (!seen.insert(next->index).second) continue;
        if (next == EXIT_BLOCK_PTR_FOR_FN(cfun)) return true;
        FOR_EACH_EDGE(e, at, next->succs) {
            if ((e->flags & (EDGE_EH | EDGE_ABNORMAL)) == 0) open.push_back(e->dest);
        }
    }
    return false;
}

/// The lock is held on the side of the branch that follows. If none does, nobody knows.
void Skeleton::visit_try_lock(basic_block block, gcall* call, const Step& step) {
    const tree result = gimple_call_lhs(call);
    if (result == NULL_TREE) return;
    basic_block testing = testing_block(block, call);
    const auto is_zero = is_zero_if_true(testing, result);
    const Callee& callee = callees_.of(gimple_call_fndecl(call));
    const bool compares = callee.atomic == AtomicKind::CompareExchange;
    const bool zero_means_held = callee.kind == CalleeKind::TryAcquireZero ||
                                 callee.kind == CalleeKind::TrySemaphoreZero ||
                                 (callee.kind == CalleeKind::Atomic && !compares);
    if (!is_zero) {
        if (!compares) keep_outcome(block, call, step, zero_means_held);
        return;
    }
    const int side = zero_means_held == *is_zero ? EDGE_TRUE_VALUE : EDGE_FALSE_VALUE;
    const int other = side == EDGE_TRUE_VALUE ? EDGE_FALSE_VALUE : EDGE_TRUE_VALUE;
    if (compares && !expects_again(testing, call, other)) {
        // Who has not got it gets it the second time: as if anyone might write to it.
        gathering_.relaxed_writes.emplace(step.value.name, std::nullopt);
        const auto member = gathering_.spin_members.find(step.value.name);
        if (member != gathering_.spin_members.end())
            gathering_.spin_member_uses[member->second].is_bad = true;
        return;
    }
    Step taken = step;
    taken.is_by_type =
        step.kind == StepKind::Acquire && step.turn == Turn::No && gives_up(block, testing, other);
    edge e = nullptr;
    edge_iterator at;
    FOR_EACH_EDGE(e, at, testing->succs) {
        if ((e->flags & side) == 0) continue;
        on_edge_[e] = add_step(nullptr, taken, call);
        tries_ = true;
    }
}

}  // namespace mqinspect::thread_level::plugin
