// Ways that the first iteration of a loop, or the others, can't take: Skeleton, seventh part.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "thread_level/gcc_plugin/skeleton.h"

namespace mqinspect::thread_level::plugin {

bool is_plain_number(tree variable) {
    return variable != NULL_TREE && VAR_P(variable) && !is_global_var(variable) &&
           !TREE_ADDRESSABLE(variable) && !TREE_THIS_VOLATILE(variable) &&
           INTEGRAL_TYPE_P(TREE_TYPE(variable));
}

namespace {

bool is_constant_assignment(gimple* statement) {
    return gimple_assign_single_p(statement) && is_plain_number(gimple_assign_lhs(statement)) &&
           TREE_CODE(gimple_assign_rhs1(statement)) == INTEGER_CST &&
           tree_fits_shwi_p(gimple_assign_rhs1(statement));
}

/// `variable = variable + 1`, or another constant above 0.
bool is_raise(gimple* statement) {
    return is_gimple_assign(statement) && gimple_assign_rhs_code(statement) == PLUS_EXPR &&
           is_plain_number(gimple_assign_lhs(statement)) &&
           gimple_assign_rhs1(statement) == gimple_assign_lhs(statement) &&
           tree_fits_shwi_p(gimple_assign_rhs2(statement)) &&
           tree_to_shwi(gimple_assign_rhs2(statement)) > 0;
}

/// It may change numbers in ways that are not looked at.
bool is_opaque(gimple* statement) {
    return is_gimple_omp(statement) || gimple_code(statement) == GIMPLE_ASM;
}

/// Plain numbers.
std::vector<tree> written_by(gimple* statement) {
    std::vector<tree> written;
    const auto add = [&written](tree variable) {
        if (is_plain_number(variable)) written.push_back(variable);
    };
    if (gimple_code(statement) == GIMPLE_OMP_FOR) {
        for (std::size_t i = 0; i < gimple_omp_for_collapse(statement); ++i)
            add(gimple_omp_for_index(statement, i));
    } else if (const auto* assembly = dyn_cast<const gasm*>(statement)) {
        for (unsigned i = 0; i < gimple_asm_noutputs(assembly); ++i)
            add(TREE_VALUE(gimple_asm_output_op(assembly, i)));
    } else if (gimple_code(statement) == GIMPLE_OMP_ATOMIC_LOAD) {
        add(gimple_omp_atomic_load_lhs(as_a<gomp_atomic_load*>(statement)));
    } else {
        add(gimple_get_lhs(statement));
    }
    return written;
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

/// Assignments of constants, and raises, that were the last ones of their variables at the end of
/// `block`, without a construct of OpenMP in between; the last ones first.
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
            if (is_last && (is_constant_assignment(statement) || is_raise(statement)))
                numbers.push_back(statement);
            behind.push_back(statement);
        }
        if (!single_pred_p(block)) break;
        block = single_pred(block);
    }
    return numbers;
}

/// `known` compared with a constant; nothing if it does not tell.
std::optional<bool> compared(const KnownNumber& known, tree_code code, std::int64_t number) {
    if (!known.is_or_more) {
        switch (code) {
            case EQ_EXPR:
                return known.number == number;
            case NE_EXPR:
                return known.number != number;
            case LT_EXPR:
                return known.number < number;
            case LE_EXPR:
                return known.number <= number;
            case GT_EXPR:
                return known.number > number;
            case GE_EXPR:
                return known.number >= number;
            default:
                return std::nullopt;
        }
    }
    const bool is_above = number < known.number;
    switch (code) {
        case EQ_EXPR:
        case LE_EXPR:
            return is_above ? std::optional(false) : std::nullopt;
        case NE_EXPR:
        case GT_EXPR:
            return is_above ? std::optional(true) : std::nullopt;
        case LT_EXPR:
            return number <= known.number ? std::optional(false) : std::nullopt;
        case GE_EXPR:
            return number <= known.number ? std::optional(true) : std::nullopt;
        default:
            return std::nullopt;
    }
}

/// Whether the comparison of `left` and `right` holds.
std::optional<bool> holds(const KnownNumber& known, tree_code code, tree left, tree right) {
    if (right == known.variable) {
        std::swap(left, right);
        code = swap_tree_comparison(code);
    }
    if (left != known.variable || !tree_fits_shwi_p(right)) return std::nullopt;
    return compared(known, code, tree_to_shwi(right));
}

/// What `flag` is at the end of `block`, which computes it: a comparison, or several of them.
std::optional<bool> computed(const KnownNumber& known, basic_block block, tree flag, int depth) {
    gimple* made = nullptr;
    for (gimple_stmt_iterator at = gsi_start_nondebug_bb(block); !gsi_end_p(at);
         gsi_next_nondebug(&at)) {
        if (gimple_get_lhs(gsi_stmt(at)) == flag) made = gsi_stmt(at);
    }
    if (depth == 0 || made == nullptr || !is_gimple_assign(made)) return std::nullopt;
    const tree_code code = gimple_assign_rhs_code(made);
    const tree first = gimple_assign_rhs1(made);
    const tree second = gimple_assign_rhs2(made);
    if (TREE_CODE_CLASS(code) == tcc_comparison) return holds(known, code, first, second);
    if (code != BIT_AND_EXPR && code != BIT_IOR_EXPR) return std::nullopt;
    // What one part decides.
    const bool decides = code == BIT_IOR_EXPR;
    const auto one = computed(known, block, first, depth - 1);
    const auto other = computed(known, block, second, depth - 1);
    if (one == decides || other == decides) return decides;
    return one && other ? std::optional(!decides) : std::nullopt;
}

/// Whether who leaves `block` along `e` may come there again.
bool comes_back_to(edge e, basic_block block) {
    std::vector<bool> seen(static_cast<std::size_t>(last_basic_block_for_fn(cfun)), false);
    std::vector<basic_block> open{e->dest};
    edge next = nullptr;
    edge_iterator at;
    while (!open.empty()) {
        basic_block here = open.back();
        open.pop_back();
        if (here == block) return true;
        if (seen[index_of(here)]) continue;
        seen[index_of(here)] = true;
        FOR_EACH_EDGE(next, at, here->succs) open.push_back(next->dest);
    }
    return false;
}

/// Whether the branch at the end of `block` is where a loop goes on or ends.
bool ends_loop(basic_block block) {
    bool goes_on = false;
    bool ends = false;
    edge e = nullptr;
    edge_iterator at;
    FOR_EACH_EDGE(e, at, block->succs) {
        (comes_back_to(e, block) ? goes_on : ends) = true;
    }
    return goes_on && ends;
}

}  // namespace

std::optional<bool> side_taken(const KnownNumber& known, basic_block block) {
    constexpr int most_parts = 3;  // inside each other
    const gimple* branch = last_statement(block);
    const tree_code code = gimple_cond_code(branch);
    const tree left = gimple_cond_lhs(branch);
    const tree right = gimple_cond_rhs(branch);
    if (const auto side = holds(known, code, left, right)) return side;
    const bool is_flag = (code == EQ_EXPR || code == NE_EXPR) && integer_zerop(right);
    const auto flag = is_flag ? computed(known, block, left, most_parts) : std::nullopt;
    return flag ? std::optional(*flag == (code == NE_EXPR)) : std::nullopt;
}

/// What the assignment of a constant, or a raise, leaves in its variable.
std::optional<KnownNumber> Skeleton::number_behind(gimple* assignment) {
    KnownNumber known;
    known.variable = gimple_assign_lhs(assignment);
    if (is_constant_assignment(assignment)) {
        known.number = tree_to_shwi(gimple_assign_rhs1(assignment));
        return known;
    }
    // What begins with constants, and is only ever raised, is the lowest of them and more.
    std::optional<std::int64_t> lowest;
    for (gimple* write : writes_of(known.variable)) {
        if (is_raise(write)) continue;
        if (!is_constant_assignment(write)) return std::nullopt;
        const std::int64_t first = tree_to_shwi(gimple_assign_rhs1(write));
        lowest = std::min(lowest.value_or(first), first);
    }
    if (!lowest) return std::nullopt;
    known.number = *lowest + tree_to_shwi(gimple_assign_rhs2(assignment));
    known.is_or_more = true;
    return known;
}

/// All of the function, of a plain number.
const std::vector<gimple*>& Skeleton::writes_of(tree variable) {
    if (!writes_collected_) {
        writes_collected_ = true;
        basic_block block = nullptr;
        FOR_EACH_BB_FN(block, cfun) {
            for (gimple_stmt_iterator at = gsi_start_nondebug_bb(block); !gsi_end_p(at);
                 gsi_next_nondebug(&at)) {
                for (const tree left : written_by(gsi_stmt(at)))
                    writes_[left].push_back(gsi_stmt(at));
            }
        }
    }
    return writes_[variable];
}

/// Where who comes by `e` goes on from what a counter begins with, or is raised to, past tests of
/// that: steps. Empty: as `e` says.
std::vector<StepId> Skeleton::known_ways(edge e) {
    if (single_pred_p(e->dest) || !is_mere_branch(e->dest)) return {};
    constexpr int most_branches = 3;
    for (gimple* assignment : numbers_at_end(e->src)) {
        const auto known = number_behind(assignment);
        std::vector<StepId> ways;
        if (known && follow_known(e, *known, most_branches, ways)) return ways;
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
                            const KnownNumber& number,
                            int branches,
                            std::vector<StepId>& ways) const {
    basic_block block = e->dest;
    const StepId first = blocks_[index_of(block)].first;
    if (branches == 0 || !is_mere_branch(block) || assigns_in(block, number.variable)) {
        if (first != kNone) ways.push_back(first);
        return false;
    }
    auto taken = side_taken(number, block);
    // Loops that start or join threads are taken to have any number of rounds.
    if (taken && !prepared_.has_constructs && ends_loop(block)) taken.reset();
    bool is_known = taken.has_value();
    edge out = nullptr;
    edge_iterator at;
    FOR_EACH_EDGE(out, at, block->succs) {
        const bool is_true = (out->flags & EDGE_TRUE_VALUE) != 0;
        if (taken && *taken != is_true) continue;
        if (const auto step = on_edge_.find(out); step != on_edge_.end()) {
            ways.push_back(step->second);
        } else {
            is_known = follow_known(out, number, branches - 1, ways) || is_known;
        }
    }
    return is_known;
}

}  // namespace mqinspect::thread_level::plugin
