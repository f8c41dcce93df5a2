// Ways that the first iteration of a loop can't take: Skeleton, seventh part.
#include <algorithm>
#include <optional>
#include <vector>

#include "thread_level/gcc_plugin/skeleton.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// Of the function, and nothing but its own assignments changes it.
bool is_plain_number(tree variable) {
    return variable != NULL_TREE && VAR_P(variable) && !is_global_var(variable) &&
           !TREE_ADDRESSABLE(variable) && !TREE_THIS_VOLATILE(variable) &&
           INTEGRAL_TYPE_P(TREE_TYPE(variable));
}

bool is_constant_assignment(gimple* statement) {
    return gimple_assign_single_p(statement) && is_plain_number(gimple_assign_lhs(statement)) &&
           TREE_CODE(gimple_assign_rhs1(statement)) == INTEGER_CST;
}

/// It may change numbers in ways that are not looked at.
bool is_opaque(gimple* statement) {
    return is_gimple_omp(statement) || gimple_code(statement) == GIMPLE_ASM;
}

bool may_assign(gimple* statement, tree variable) {
    return is_opaque(statement) || gimple_get_lhs(statement) == variable;
}

bool assigns_in(basic_block block, tree variable) {
    for (gimple_stmt_iterator at = gsi_start_nondebug_bb(block); !gsi_end_p(at);
         gsi_next_nondebug(&at)) {
        if (may_assign(gsi_stmt(at), variable)) return true;
    }
    return false;
}

/// Assignments of constants that hold at the end of `block`, the last ones first, without a
/// construct of OpenMP in between.
std::vector<gimple*> numbers_at_end(basic_block block) {
    constexpr int most_blocks = 3;
    constexpr int most_statements = 16;
    std::vector<gimple*> behind;
    std::vector<gimple*> numbers;
    for (int i = 0; i < most_blocks && block->index > EXIT_BLOCK; ++i) {
        for (gimple_stmt_iterator at = gsi_last_nondebug_bb(block); !gsi_end_p(at);
             gsi_prev_nondebug(&at)) {
            gimple* statement = gsi_stmt(at);
            if (is_opaque(statement) || behind.size() == most_statements) return numbers;
            const tree left = gimple_get_lhs(statement);
            const bool is_last = std::none_of(behind.begin(), behind.end(), [left](gimple* later) {
                return gimple_get_lhs(later) == left;
            });
            if (is_last && is_constant_assignment(statement)) numbers.push_back(statement);
            behind.push_back(statement);
        }
        if (!single_pred_p(block)) break;
        block = single_pred(block);
    }
    return numbers;
}

/// The side of the branch that is taken where the variable is the number; nothing if it does not
/// tell.
std::optional<bool> side_taken(gimple* branch, tree variable, tree number) {
    const bool is_left = gimple_cond_lhs(branch) == variable;
    if (!is_left && gimple_cond_rhs(branch) != variable) return std::nullopt;
    const tree other = is_left ? gimple_cond_rhs(branch) : gimple_cond_lhs(branch);
    if (TREE_CODE(other) != INTEGER_CST) return std::nullopt;
    const tree result = fold_binary(gimple_cond_code(branch),
                                    boolean_type_node,
                                    is_left ? number : other,
                                    is_left ? other : number);
    if (result == NULL_TREE || TREE_CODE(result) != INTEGER_CST) return std::nullopt;
    return integer_zerop(result) == 0;
}

}  // namespace

/// Where who comes by `e` goes on from what a counter begins with, past tests of that: steps.
/// Empty: as `e` says.
std::vector<StepId> Skeleton::known_ways(edge e) const {
    if (!prepared_.has_constructs || single_pred_p(e->dest) || !is_mere_branch(e->dest)) return {};
    constexpr int most_branches = 3;
    for (gimple* assignment : numbers_at_end(e->src)) {
        std::vector<StepId> ways;
        if (follow_known(e, assignment, most_branches, ways)) return ways;
    }
    return {};
}

/// The block does nothing but to branch.
bool Skeleton::is_mere_branch(basic_block block) const {
    if (block->index <= EXIT_BLOCK) return false;
    const gimple* last = last_statement(block);
    return last != nullptr && gimple_code(last) == GIMPLE_COND && is_idle_block(block);
}

/// Whether some test on the ways from `e` has one side only.
bool Skeleton::follow_known(edge e,
                            gimple* assignment,
                            int branches,
                            std::vector<StepId>& ways) const {
    const tree variable = gimple_assign_lhs(assignment);
    basic_block block = e->dest;
    const StepId first = blocks_[index_of(block)].first;
    if (branches == 0 || !is_mere_branch(block) || assigns_in(block, variable)) {
        if (first != kNone) ways.push_back(first);
        return false;
    }
    const auto taken = side_taken(last_statement(block), variable, gimple_assign_rhs1(assignment));
    bool is_known = taken.has_value();
    edge out = nullptr;
    edge_iterator at;
    FOR_EACH_EDGE(out, at, block->succs) {
        const bool is_true = (out->flags & EDGE_TRUE_VALUE) != 0;
        if (taken && *taken != is_true) continue;
        if (const auto step = on_edge_.find(out); step != on_edge_.end()) {
            ways.push_back(step->second);
        } else {
            is_known = follow_known(out, assignment, branches - 1, ways) || is_known;
        }
    }
    return is_known;
}

}  // namespace mqinspect::thread_level::plugin
