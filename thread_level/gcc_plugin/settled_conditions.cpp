// Conditions on variables of the function that stay what they are from there on: Skeleton,
// eleventh part. Of two such tests, a call of the function takes the same side: a thread that it
// starts on one is not there on the other.
#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "thread_level/gcc_plugin/skeleton.h"

namespace mqinspect::thread_level::plugin {
namespace {

bool is_of_level(const Implication& said) {
    return said.condition == Condition::LevelAtLeast || said.condition == Condition::LevelBelow;
}

/// What a variable is compared with; it is the first operand.
struct PlainTest {
    tree_code code = ERROR_MARK;
    tree variable = NULL_TREE;
    tree other = NULL_TREE;  ///< a constant, or a plain number, too
};

/// Of the assignment of a comparison, or of the opposite of a flag.
PlainTest assigned_test(const gimple* made) {
    if (!is_gimple_assign(made)) return {};
    const tree_code code = gimple_assign_rhs_code(made);
    const tree first = gimple_assign_rhs1(made);
    const bool is_flag = TREE_CODE(TREE_TYPE(first)) == BOOLEAN_TYPE;
    if (code == BIT_NOT_EXPR && is_flag) return {EQ_EXPR, first, integer_zero_node};
    if (code == BIT_XOR_EXPR && is_flag && integer_onep(gimple_assign_rhs2(made)))
        return {EQ_EXPR, first, integer_zero_node};
    if (TREE_CODE_CLASS(code) == tcc_comparison) return {code, first, gimple_assign_rhs2(made)};
    // A narrower copy may be 0 where the number is not.
    const bool is_copy =
        is_copying(made) && INTEGRAL_TYPE_P(TREE_TYPE(first)) &&
        TYPE_PRECISION(TREE_TYPE(gimple_assign_lhs(made))) >= TYPE_PRECISION(TREE_TYPE(first));
    return is_copy ? PlainTest{NE_EXPR, first, integer_zero_node} : PlainTest{};
}

bool is_temporary(tree operand) {
    return TREE_CODE(operand) == SSA_NAME || (VAR_P(operand) && DECL_ARTIFICIAL(operand));
}

/// Of the branch at the end of `block`, which may have been computed right in front of it.
PlainTest test_at_end(basic_block block) {
    constexpr int most_parts = 3;
    const gimple* branch = last_statement(block);
    PlainTest test{gimple_cond_code(branch), gimple_cond_lhs(branch), gimple_cond_rhs(branch)};
    gimple_stmt_iterator at = gsi_last_nondebug_bb(block);
    for (int i = 0; i < most_parts && is_temporary(test.variable); ++i) {
        const bool is_on_truth =
            (test.code == EQ_EXPR || test.code == NE_EXPR) && integer_zerop(test.other);
        const tree temporary = test.variable;
        while (!gsi_end_p(at) && gimple_get_lhs(gsi_stmt(at)) != temporary)
            gsi_prev_nondebug(&at);
        if (!is_on_truth || gsi_end_p(at)) return {};
        const bool is_negated = test.code == EQ_EXPR;
        test = assigned_test(gsi_stmt(at));
        if (test.variable == NULL_TREE) return {};
        if (is_negated) test.code = invert_tree_comparison(test.code, false);
    }
    return test;
}

}  // namespace

/// Nothing is written to the variable any more, once who executes the function is at the end of
/// `block`.
bool Skeleton::is_settled(tree variable, basic_block block) {
    constexpr std::size_t most_writes = 8;
    if (!is_plain_number(variable)) return false;
    const std::vector<gimple*>& writes = writes_of(variable);
    return writes.size() <= most_writes && std::ranges::none_of(writes, [&](gimple* write) {
               return leads_to(block, gimple_bb(write), nullptr);
           });
}

/// Of the branch at the end of `block`; nothing if it is not such a test.
Branch Skeleton::settled_test(basic_block block) {
    const gimple* branch = last_statement(block);
    if (branch == nullptr || gimple_code(branch) != GIMPLE_COND) return {};
    const PlainTest test = test_at_end(block);
    if (test.variable == NULL_TREE || !is_settled(test.variable, block)) return {};
    const std::string text = "settled" + std::to_string(DECL_UID(test.variable));
    Value tested;
    tested.kind = Value::Kind::Local;
    const bool is_number = TREE_CODE(test.other) == INTEGER_CST && tree_fits_shwi_p(test.other);
    const bool is_equality = test.code == EQ_EXPR || test.code == NE_EXPR;
    if (is_number && is_equality) {
        tested.name = gathering_.intern(text);
        return is_argument(test.code, tested, tree_to_shwi(test.other));
    }
    if (!is_number && !is_settled(test.other, block)) return {};
    // `a >= b` is the other side of `a < b`.
    const bool is_negated = test.code == NE_EXPR || test.code == GE_EXPR || test.code == GT_EXPR;
    const tree_code positive = is_negated ? invert_tree_comparison(test.code, false) : test.code;
    const std::string other = is_number ? std::to_string(tree_to_shwi(test.other))
                                        : "v" + std::to_string(DECL_UID(test.other));
    tested.name = gathering_.intern(text + get_tree_code_name(positive) + other);
    return is_argument(is_negated ? NE_EXPR : EQ_EXPR, tested, 1);
}

/// In functions that may start threads, by themselves or by what they call.
void Skeleton::find_settled(function* fun) {
    const auto may_start = [](const auto& step) {
        const StepKind kind = step.second.kind;
        return kind == StepKind::StartThread || kind == StepKind::Call ||
               kind == StepKind::Indirect;
    };
    if (prepared_.has_constructs || std::ranges::none_of(prepared_.steps, may_start)) return;
    std::unordered_map<StringId, int> tests;
    basic_block block = nullptr;
    FOR_EACH_BB_FN(block, fun) {
        const Branch test = settled_test(block);
        if (!test.says_anything()) continue;
        ++tests[test.when_true.tested.name];
        settled_.emplace(last_statement(block), test);
    }
    std::erase_if(settled_,
                  [&](const auto& test) { return tests[test.second.when_true.tested.name] == 1; });
}

/// What is known there of what all threads have in common, or of what is settled.
Implication Skeleton::common_side(edge way) const {
    const gimple* branch = last_statement(way->src);
    const bool is_true = (way->flags & EDGE_TRUE_VALUE) != 0;
    if (!is_true && (way->flags & EDGE_FALSE_VALUE) == 0) return {};
    for (const auto* branches : {&prepared_.common_branches, &settled_}) {
        const auto found = branches->find(branch);
        if (found != branches->end())
            return is_true ? found->second.when_true : found->second.when_false;
    }
    return {};
}

/// Whether all ways to the end of `block` come by the statement.
bool Skeleton::comes_by(basic_block block, const gimple* statement) {
    basic_block there = gimple_bb(statement);
    return there != nullptr && dominated_by_p(CDI_DOMINATORS, block, there);
}

/// Of such conditions, and of those on the provided level: ways that no guard is around.
void Skeleton::add_settled_ways() {
    const bool has_threads = std::ranges::any_of(function_.steps, [](const Step& step) {
        return step.kind == StepKind::StartThread || step.kind == StepKind::JoinThread;
    });
    if (!has_threads && settled_.empty()) return;
    std::unordered_set<edge> known;
    for (const auto& [guarding, id] : guards_)
        known.insert(guarding);
    std::vector<std::pair<edge, Implication>> ways;
    for (const auto& [guarding, id] : guards_) {
        edge way = nullptr;
        edge_iterator at;
        FOR_EACH_EDGE(way, at, guarding->src->succs) {
            if (on_edge_.contains(way) || !known.insert(way).second) continue;
            const Implication said = implication_of(way);
            const Implication side = is_of_level(said) ? said : common_side(way);
            if (side.condition != Condition::None) ways.emplace_back(way, side);
        }
    }
    for (const auto& [way, side] : ways) {
        const NodeId inside = add_guard(way, node_at_end_[index_of(way->src)], side);
        on_edge_[way] = add_step(
            nullptr, make(StepKind::Way, nodes_[inside].region, UNKNOWN_LOCATION), nullptr);
    }
}

}  // namespace mqinspect::thread_level::plugin
