// Threads that start with one of several functions, as in `i == 0 ? receive : work`: Skeleton,
// tenth part. Each way to where they start has its own.
#include <utility>
#include <vector>

#include "thread_level/gcc_plugin/pointed_procedures.h"
#include "thread_level/gcc_plugin/skeleton.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// A variable of the function, which nothing but its own assignments changes.
bool is_plain_pointer(tree operand) {
    return VAR_P(operand) && !is_global_var(operand) && !TREE_ADDRESSABLE(operand) &&
           !TREE_THIS_VOLATILE(operand) && POINTER_TYPE_P(TREE_TYPE(operand)) &&
           TREE_CODE(TREE_TYPE(TREE_TYPE(operand))) == FUNCTION_TYPE;
}

/// The function that the assignment sets its variable to; null: it is not known.
tree function_assigned(gimple* statement) {
    if (!is_gimple_assign(statement) || !is_copying(statement)) return NULL_TREE;
    const tree value = strip(gimple_assign_rhs1(statement));
    const tree function = TREE_CODE(value) == ADDR_EXPR ? TREE_OPERAND(value, 0) : NULL_TREE;
    return function != NULL_TREE && TREE_CODE(function) == FUNCTION_DECL ? function : NULL_TREE;
}

/// The function that `pointer` is for at the end of `block`; null: it can't be told.
tree function_at_end(basic_block block, tree pointer) {
    constexpr int most_blocks = 4;
    for (int i = 0; i < most_blocks && block->index > EXIT_BLOCK; ++i) {
        for (gimple_stmt_iterator at = gsi_last_nondebug_bb(block); !gsi_end_p(at);
             gsi_prev_nondebug(&at)) {
            gimple* statement = gsi_stmt(at);
            if (is_gimple_omp(statement) || gimple_code(statement) == GIMPLE_ASM) return NULL_TREE;
            if (gimple_get_lhs(statement) == pointer) return function_assigned(statement);
        }
        if (!single_pred_p(block)) break;
        block = single_pred(block);
    }
    return NULL_TREE;
}

bool is_set_in_front(const gcall* call, basic_block block, tree pointer) {
    for (gimple_stmt_iterator at = gsi_start_nondebug_bb(block); gsi_stmt(at) != call;
         gsi_next_nondebug(&at)) {
        if (gimple_get_lhs(gsi_stmt(at)) == pointer) return true;
    }
    return false;
}

}  // namespace

/// On the ways into the block, if nothing else comes first there. False: they don't tell.
bool Skeleton::visit_chosen_start(basic_block block, gcall* call, const Step& step) {
    const tree callee = gimple_call_fndecl(call);
    const tree pointer =
        callee == NULL_TREE ? NULL_TREE : argument_of(call, callees_.of(callee).argument);
    const bool is_first = blocks_[index_of(block)].first == kNone && !single_pred_p(block);
    if (!step.is_by_type || pointer == NULL_TREE || !is_plain_pointer(pointer) || !is_first ||
        is_set_in_front(call, block, pointer))
        return false;
    std::vector<std::pair<edge, tree>> ways;
    edge e = nullptr;
    edge_iterator at;
    FOR_EACH_EDGE(e, at, block->preds) {
        const bool is_visited = blocks_[index_of(e->src)].first != kNone;
        const tree function = function_at_end(e->src, pointer);
        if ((e->flags & (EDGE_EH | EDGE_ABNORMAL)) != 0 || !is_visited || on_edge_.contains(e) ||
            function == NULL_TREE)
            return false;
        ways.emplace_back(e, function);
    }
    for (const auto& [way, function] : ways) {
        Step start = step;
        start.is_by_type = false;
        start.callee = {};
        start.name = symbol_behind_pointer(gathering_, function);
        on_edge_[way] = add_step(nullptr, std::move(start), call);
    }
    return true;
}

}  // namespace mqinspect::thread_level::plugin
