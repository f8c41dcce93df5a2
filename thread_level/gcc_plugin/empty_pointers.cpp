#include "thread_level/gcc_plugin/empty_pointers.h"

#include <algorithm>
#include <string_view>

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kMostParts = 8;    // of a condition, each made of the one behind it
constexpr int kMostBlocks = 64;  // around the one in question

/// Of what the first argument points to.
bool is_for_pointer(const gimple* call) {
    if (gimple_call_num_args(call) == 0) return false;
    const tree type = TREE_TYPE(gimple_call_arg(call, 0));
    return POINTER_TYPE_P(type) && is_smart_pointer(TREE_TYPE(type));
}

bool is_same(tree a, tree b) {
    return operand_equal_p(a, b, 0) != 0;
}

}  // namespace

void EmptyPointers::find() {
    fills_.clear();
    tests_.clear();
    if (!is_cxx() || source_.conditions.empty()) return;
    for (const Located& at : source_.any_calls)
        note_fill(at.statement);
    if (fills_.empty()) return;
    for (const Located& at : source_.conditions)
        note_test(as_a<const gcond*>(at.statement));
}

/// By a variable or a member; null: it can't be told.
tree EmptyPointers::address_of(tree operand) const {
    operand = strip(operand);
    if (TREE_CODE(operand) == ADDR_EXPR) return operand;
    const Located* made = is_local_name(operand) ? values_.only_definition(operand) : nullptr;
    if (made == nullptr || !gimple_assign_single_p(made->statement)) return NULL_TREE;
    const tree address = strip(gimple_assign_rhs1(made->statement));
    return TREE_CODE(address) == ADDR_EXPR ? address : NULL_TREE;
}

void EmptyPointers::note_fill(gimple* call) {
    const tree callee = gimple_call_fndecl(call);
    if (callee == NULL_TREE || !is_for_pointer(call)) return;
    const std::string_view name = declared_name(callee);
    if (name != "operator=" && name != "reset" && name != "swap") return;
    if (const tree address = address_of(gimple_call_arg(call, 0)); address != NULL_TREE)
        fills_.emplace(call, address);
}

void EmptyPointers::note_test(const gcond* condition) {
    if (!integer_zerop(gimple_cond_rhs(condition))) return;
    const bool is_null_if_true = gimple_cond_code(condition) == EQ_EXPR;
    if (!is_null_if_true && gimple_cond_code(condition) != NE_EXPR) return;
    const Test test = test_of(gimple_cond_lhs(condition), is_null_if_true, kMostParts);
    if (test.address != NULL_TREE) tests_.emplace(condition, test);
}

/// `is_null_if_true`: the pointer is null where `operand` being 0 means that.
EmptyPointers::Test EmptyPointers::test_of(tree operand, bool is_null_if_true, int depth) const {
    const Located* made =
        depth > 0 && is_local_name(operand) ? values_.only_definition(operand) : nullptr;
    if (made == nullptr) return {};
    if (is_gimple_assign(made->statement)) {
        const tree source = gimple_assign_rhs1(made->statement);
        switch (gimple_assign_rhs_code(made->statement)) {
            case BIT_NOT_EXPR:
            case TRUTH_NOT_EXPR:
                return test_of(source, !is_null_if_true, depth - 1);
            case EQ_EXPR:
            case NE_EXPR: {
                if (!integer_zerop(gimple_assign_rhs2(made->statement))) return {};
                const bool is_equal = gimple_assign_rhs_code(made->statement) == EQ_EXPR;
                return test_of(source, is_null_if_true != is_equal, depth - 1);
            }
            default:
                return is_copying(made->statement) ? test_of(source, is_null_if_true, depth - 1)
                                                   : Test{};
        }
    }
    const tree callee =
        is_gimple_call(made->statement) ? gimple_call_fndecl(made->statement) : NULL_TREE;
    if (callee == NULL_TREE || !is_for_pointer(made->statement)) return {};
    const std::string_view name = declared_name(callee);
    const unsigned count = gimple_call_num_args(made->statement);
    const bool is_equal = name == "operator==" && count == 2 &&
                          TREE_CODE(gimple_call_arg(made->statement, 1)) == INTEGER_CST;
    const bool is_value = (name.starts_with("__conv_op") || name == "get") && count == 1;
    if (!is_equal && !is_value) return {};
    return {address_of(gimple_call_arg(made->statement, 0)), is_null_if_true != is_equal};
}

bool EmptyPointers::fills_null(const gimple* call, basic_block block) const {
    const auto fill = fills_.find(call);
    if (fill == fills_.end() || tests_.empty()) return false;
    const auto fills = std::ranges::count_if(
        fills_, [&](const auto& other) { return is_same(other.second, fill->second); });
    if (fills > 1) return false;  // it may be full by then
    for (int i = 0; i < kMostBlocks && block != nullptr && block->index > EXIT_BLOCK; ++i) {
        basic_block around = get_immediate_dominator(CDI_DOMINATORS, block);
        edge way = single_pred_p(block) ? single_pred_edge(block) : nullptr;
        block = around;
        if (way == nullptr || way->src != around) continue;
        gimple_stmt_iterator last = gsi_last_nondebug_bb(around);
        const auto test = gsi_end_p(last) ? tests_.end() : tests_.find(gsi_stmt(last));
        if (test == tests_.end() || !is_same(test->second.address, fill->second)) continue;
        const int null_way = test->second.is_null_if_true ? EDGE_TRUE_VALUE : EDGE_FALSE_VALUE;
        if ((way->flags & null_way) != 0) return true;
    }
    return false;
}

}  // namespace mqinspect::thread_level::plugin
