#include "thread_level/gcc_plugin/comparisons.h"

#include <algorithm>

#include "thread_level/gcc_plugin/own_try_locks.h"
#include "thread_level/gcc_plugin/skeleton.h"
#include "thread_level/gcc_plugin/source_walk.h"

namespace mqinspect::thread_level::plugin {
namespace {

using Order = Comparisons::Order;

/// 0: of no comparison of numbers.
Order order_of(tree_code code) {
    switch (code) {
        case LT_EXPR:
            return Comparisons::kLess;
        case LE_EXPR:
            return Comparisons::kLess | Comparisons::kEqual;
        case EQ_EXPR:
            return Comparisons::kEqual;
        case NE_EXPR:
            return Comparisons::kLess | Comparisons::kGreater;
        case GE_EXPR:
            return Comparisons::kGreater | Comparisons::kEqual;
        case GT_EXPR:
            return Comparisons::kGreater;
        default:
            return 0;
    }
}

/// That nothing but assignments and results of calls changes.
bool is_followed(tree operand) {
    return DECL_P(operand) && is_gimple_reg(operand) && INTEGRAL_TYPE_P(TREE_TYPE(operand));
}

bool is_same_operand(tree one, tree other) {
    return one == other || (TREE_CODE(one) == INTEGER_CST && TREE_CODE(other) == INTEGER_CST &&
                            tree_int_cst_equal(one, other) != 0);
}

bool assigns(gimple* statement, tree variable) {
    return (is_gimple_assign(statement) || is_gimple_call(statement)) &&
           gimple_get_lhs(statement) == variable;
}

/// Whether the copy is 0 where what is copied is, and only there.
bool keeps_zero(gimple* copy) {
    const tree from = TREE_TYPE(gimple_assign_rhs1(copy));
    const tree to = TREE_TYPE(gimple_assign_lhs(copy));
    return INTEGRAL_TYPE_P(from) && INTEGRAL_TYPE_P(to) &&
           TYPE_PRECISION(from) <= TYPE_PRECISION(to);
}

/// Of a comparison with 0 at the end of `block`: goes back from a copy to the variable. False: that
/// is not the same any more.
bool trace_back(basic_block block, tree& tested, Order& when_true) {
    std::vector<gimple*> behind;
    for (gimple_stmt_iterator at = gsi_last_nondebug_bb(block); !gsi_end_p(at);
         gsi_prev_nondebug(&at)) {
        gimple* statement = gsi_stmt(at);
        if (is_gimple_assign(statement) && gimple_assign_lhs(statement) == tested) {
            const auto negation = negates(statement);
            const bool is_copy = is_copying(statement) && keeps_zero(statement);
            if (!is_copy && !negation) break;
            tested = gimple_assign_rhs1(statement);
            if (negation.value_or(false)) when_true ^= Comparisons::kAny;
            if (std::ranges::any_of(behind, [&](gimple* one) { return assigns(one, tested); }))
                return false;
        }
        behind.push_back(statement);
    }
    return true;
}

/// By which it counts `variable`: 1 or -1; 0: it does something else.
int step_of(gimple* statement, tree variable) {
    const tree_code code = gimple_assign_rhs_code(statement);
    if ((code != PLUS_EXPR && code != MINUS_EXPR) || gimple_assign_rhs1(statement) != variable)
        return 0;
    const tree by = gimple_assign_rhs2(statement);
    const int sign = code == PLUS_EXPR ? 1 : -1;
    if (TREE_CODE(by) != INTEGER_CST) return 0;
    if (integer_onep(by)) return sign;
    return integer_minus_onep(by) ? -sign : 0;
}

/// Numbers that can't be negative begin anew behind the last one.
Order counted(Order before, int step, bool may_wrap) {
    const Order passed = step > 0 ? Comparisons::kGreater : Comparisons::kLess;
    const Order ahead = step > 0 ? Comparisons::kLess : Comparisons::kGreater;
    if (may_wrap && (before & ~ahead) != 0) return Comparisons::kAny;
    Order after = 0;
    if ((before & ahead) != 0) after |= ahead | Comparisons::kEqual;
    if ((before & (passed | Comparisons::kEqual)) != 0) after |= passed;
    return after;
}

/// What a variable is to `other` that is `order` to `number`.
Order implied(Order order, tree number, tree other) {
    const widest_int distance = wi::to_widest(other) - wi::to_widest(number);
    const bool is_above = wi::gts_p(distance, 0);
    const Order ahead = is_above ? Comparisons::kLess : Comparisons::kGreater;
    const Order behind = is_above ? Comparisons::kGreater : Comparisons::kLess;
    if ((order & behind) == 0) return ahead;
    const bool is_next = distance == 1 || distance == -1;
    return order == behind && is_next ? behind | Comparisons::kEqual : Comparisons::kAny;
}

}  // namespace

Comparisons::Comparisons(function* fun) {
    const auto count = static_cast<std::size_t>(last_basic_block_for_fn(fun));
    tests_.resize(count);
    at_start_.resize(count);
    basic_block block = nullptr;
    FOR_EACH_BB_FN(block, fun) add_test(block);
    flow(fun);
}

void Comparisons::add_test(basic_block block) {
    gimple* condition = last_statement(block);
    if (condition == nullptr || gimple_code(condition) != GIMPLE_COND) return;
    Order when_true = order_of(gimple_cond_code(condition));
    tree left = gimple_cond_lhs(condition);
    const tree right = gimple_cond_rhs(condition);
    if (when_true == 0) return;
    const bool is_with_zero = integer_zerop(right) && (gimple_cond_code(condition) == EQ_EXPR ||
                                                       gimple_cond_code(condition) == NE_EXPR);
    if (is_with_zero && !trace_back(block, left, when_true)) return;
    if (!is_followed(left) || (TREE_CODE(right) != INTEGER_CST && !is_followed(right))) return;
    const auto known =
        std::find_if(comparisons_.begin(), comparisons_.end(), [&](const Comparison& one) {
            return one.left == left && is_same_operand(one.right, right);
        });
    const auto number = static_cast<std::size_t>(known - comparisons_.begin());
    if (number == kMost) return;
    if (known == comparisons_.end()) comparisons_.push_back({left, right});
    tests_[index_of(block)] = {number, when_true};
}

void Comparisons::flow(function* fun) {
    Known nothing;
    nothing.fill(kAny);
    std::vector<basic_block> open{ENTRY_BLOCK_PTR_FOR_FN(fun)};
    at_start_[ENTRY_BLOCK] = nothing;
    while (!open.empty() && !comparisons_.empty()) {
        basic_block block = open.back();
        open.pop_back();
        const Known known = through(block, *at_start_[index_of(block)]);
        edge e = nullptr;
        edge_iterator at;
        FOR_EACH_EDGE(e, at, block->succs) {
            const std::optional<Known> here = along(e, known);
            if (!here) continue;
            std::optional<Known>& there = at_start_[index_of(e->dest)];
            Known joined = there.value_or(Known{});
            for (std::size_t i = 0; i < kMost; ++i)
                joined[i] |= (*here)[i];
            if (there && *there == joined) continue;
            there = joined;
            open.push_back(e->dest);
        }
    }
}

std::optional<Comparisons::Known> Comparisons::at_end(basic_block block) const {
    const std::optional<Known>& start = at_start_[index_of(block)];
    if (!start) return std::nullopt;
    return through(block, *start);
}

Comparisons::Known Comparisons::through(basic_block block, Known known) const {
    for (gimple_stmt_iterator at = gsi_start_nondebug_bb(block); !gsi_end_p(at);
         gsi_next_nondebug(&at))
        pass(gsi_stmt(at), known);
    return known;
}

/// What constructs and assembler code write, GCC tells in other places.
void Comparisons::pass(gimple* statement, Known& known) const {
    if (is_gimple_omp(statement) || gimple_code(statement) == GIMPLE_ASM) known.fill(kAny);
    if (!is_gimple_assign(statement) && !is_gimple_call(statement)) return;
    const tree target = gimple_get_lhs(statement);
    if (target == NULL_TREE || !DECL_P(target)) return;
    for (std::size_t i = 0; i < comparisons_.size(); ++i) {
        if (comparisons_[i].right == target) known[i] = kAny;
        if (comparisons_[i].left == target)
            known[i] = assigned(statement, comparisons_[i], known[i]);
    }
}

Order Comparisons::assigned(gimple* statement, const Comparison& comparison, Order before) const {
    if (!is_gimple_assign(statement)) return kAny;
    const tree value = gimple_assign_rhs1(statement);
    if (gimple_assign_single_p(statement) && TREE_CODE(value) == INTEGER_CST &&
        TREE_CODE(comparison.right) == INTEGER_CST) {
        const int order = tree_int_cst_compare(value, comparison.right);
        if (order == 0) return kEqual;
        return order < 0 ? kLess : kGreater;
    }
    const int step = step_of(statement, comparison.left);
    const bool may_wrap = TYPE_OVERFLOW_WRAPS(TREE_TYPE(comparison.left));
    return step == 0 ? kAny : counted(before, step, may_wrap);
}

std::optional<Comparisons::Known> Comparisons::along(const edge_def* e, Known known) const {
    if ((e->flags & (EDGE_EH | EDGE_ABNORMAL)) != 0) {
        known.fill(kAny);
        return known;
    }
    const Test& test = tests_[index_of(e->src)];
    constexpr int sides = EDGE_TRUE_VALUE | EDGE_FALSE_VALUE;
    if (test.comparison == kMost || (e->flags & sides) == 0) return known;
    const bool is_true = (e->flags & EDGE_TRUE_VALUE) != 0;
    known[test.comparison] &= is_true ? test.when_true : kAny & ~test.when_true;
    if (known[test.comparison] == 0 || !conclude(test.comparison, known)) return std::nullopt;
    return known;
}

/// What a comparison with one number says of those with others. False: that can't be.
bool Comparisons::conclude(std::size_t from, Known& known) const {
    const Comparison& said = comparisons_[from];
    if (TREE_CODE(said.right) != INTEGER_CST) return true;
    for (std::size_t i = 0; i < comparisons_.size(); ++i) {
        if (i == from || comparisons_[i].left != said.left ||
            TREE_CODE(comparisons_[i].right) != INTEGER_CST)
            continue;
        known[i] &= implied(known[from], said.right, comparisons_[i].right);
        if (known[i] == 0) return false;
    }
    return true;
}

std::optional<Comparisons::Known> Comparisons::with_zero(Known known,
                                                         tree variable,
                                                         bool is_zero) const {
    for (std::size_t i = 0; i < comparisons_.size(); ++i) {
        if (comparisons_[i].left != variable || !integer_zerop(comparisons_[i].right)) continue;
        if (known[i] != kAny) return std::nullopt;
        known[i] = is_zero ? kEqual : kLess | kGreater;
        return known;
    }
    return std::nullopt;
}

}  // namespace mqinspect::thread_level::plugin
