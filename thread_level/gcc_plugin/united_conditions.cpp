// Comparisons with 0 of `a | b` and `a + b`, which GCC makes of two: Conditions, further part.
#include <algorithm>
#include <iterator>

#include "thread_level/gcc_plugin/conditions.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// Of `core + hyper == 0`, where each may be a member that keeps the number, and the other one is
/// 0.
Implication sum_of(const Implication& first, const Implication& second) {
    const auto is_zero = [](const Implication& said) {
        return said.condition == Condition::ThreadIsZero && said.limit.kind == Value::Kind::Unknown;
    };
    if (!is_zero(first) || !is_zero(second)) return {};
    Implication sum = first.wrapper == 0 ? first : second;
    const StringId other = first.wrapper == 0 ? second.wrapper : first.wrapper;
    if (other == 0) return sum;
    sum.limit.kind = Value::Kind::Element;
    sum.limit.name = other;
    return sum;
}

}  // namespace

/// What all is true where `united` is 0, which is `a | b`; empty: it is none.
std::vector<Implication> Conditions::zero_parts(tree united, ContextId context, int depth) {
    const Located* made = is_local_name(united) ? values_.only_definition(united) : nullptr;
    if (depth <= 0 || made == nullptr || !is_gimple_assign(made->statement) ||
        gimple_assign_rhs_code(made->statement) != BIT_IOR_EXPR)
        return {};
    const Located at = *made;
    std::vector<Implication> parts;
    for (const tree part : {gimple_assign_rhs1(at.statement), gimple_assign_rhs2(at.statement)}) {
        auto inner = zero_parts(part, at.context, depth - 1);
        if (inner.empty())
            inner = {compare(EQ_EXPR, part, integer_zero_node, context, depth).when_true};
        std::ranges::copy(inner, std::back_inserter(parts));
    }
    return parts;
}

/// `(a | b) == 0`, which GCC makes of `a == 0 && b == 0`: both are. Or their sum is.
Branch Conditions::compare_united(
    tree_code code, tree left, tree right, ContextId context, int depth) {
    const bool is_number = is_local_name(left) && TREE_CODE(TREE_TYPE(left)) != BOOLEAN_TYPE;
    if (depth <= 0 || !is_number || !integer_zerop(right)) return {};
    const Located* found = values_.only_definition(left);
    if (found == nullptr || !is_gimple_assign(found->statement)) return {};
    gimple* const definition = found->statement;
    const tree_code operation = gimple_assign_rhs_code(definition);
    if (operation != BIT_IOR_EXPR && operation != PLUS_EXPR) return {};
    const auto said_of = [&](tree part) {
        return compare(EQ_EXPR, part, right, context, depth).when_true;
    };
    const Implication first = said_of(gimple_assign_rhs1(definition));
    const Implication second = said_of(gimple_assign_rhs2(definition));
    Branch branch;
    (code == EQ_EXPR ? branch.when_true : branch.when_false) =
        operation == PLUS_EXPR ? sum_of(first, second) : stronger(first, second);
    return branch;
}

}  // namespace mqinspect::thread_level::plugin
