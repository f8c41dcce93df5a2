// Threads that are not there, as their start has failed or an exception ends them: Skeleton, sixth
// part.
#include <optional>
#include <unordered_set>
#include <vector>

#include "thread_level/gcc_plugin/skeleton.h"

namespace mqinspect::thread_level::plugin {

bool is_behind_throw(basic_block block) {
    std::vector<basic_block> open = {block};
    std::unordered_set<int> seen = {block->index};
    edge e = nullptr;
    edge_iterator at;
    while (!open.empty()) {
        basic_block next = open.back();
        open.pop_back();
        if (next == ENTRY_BLOCK_PTR_FOR_FN(cfun)) return false;
        FOR_EACH_EDGE(e, at, next->preds) {
            if ((e->flags & EDGE_EH) == 0 && seen.insert(e->src->index).second)
                open.push_back(e->src);
        }
    }
    return true;
}

/// Whether nothing that there are steps of comes between the call and the branch at the end of
/// `testing`.
bool Skeleton::is_next(basic_block block, basic_block testing, const gimple* call) const {
    const auto is_idle = [this](gimple* statement) {
        if (is_gimple_omp(statement) || prepared_.steps.contains(statement)) return false;
        const tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
        return !is_gimple_call(statement) ||
               (callee != NULL_TREE && callees_.of(callee).kind == CalleeKind::Harmless);
    };
    for (gimple_stmt_iterator at = gsi_last_nondebug_bb(testing); !gsi_end_p(at);
         gsi_prev_nondebug(&at)) {
        if (gsi_stmt(at) == call) return true;
        if (!is_idle(gsi_stmt(at))) return false;
    }
    return testing != block && last_statement(block) == call;
}

/// The thread is there where the call has neither thrown nor given an error. False: there is no
/// other way.
bool Skeleton::visit_start(basic_block block, gcall* call, const Step& step) {
    const tree result = gimple_call_lhs(call);
    const bool gives_error = result != NULL_TREE && INTEGRAL_TYPE_P(TREE_TYPE(result));
    basic_block from = gives_error ? testing_block(block, call) : block;
    std::optional<bool> is_zero;
    if (gives_error && is_next(block, from, call)) is_zero = is_zero_if_true(from, result);
    if (!is_zero) from = block;
    const bool may_throw = last_statement(block) == call && EDGE_COUNT(block->succs) > 1;
    if (!is_zero && !may_throw) return false;
    int failing = EDGE_EH;
    if (is_zero) failing = *is_zero ? EDGE_FALSE_VALUE : EDGE_TRUE_VALUE;
    edge e = nullptr;
    edge_iterator at;
    FOR_EACH_EDGE(e, at, from->succs) {
        if ((e->flags & failing) == 0) on_edge_[e] = add_step(nullptr, step, call);
    }
    return true;
}

}  // namespace mqinspect::thread_level::plugin
