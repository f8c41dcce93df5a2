#include "thread_level/gcc_plugin/counter_branches.h"

#include <algorithm>

#include "thread_level/gcc_plugin/thread_numbers.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// Whether nothing writes to the variable between `label` and `statement`, which that leads to.
bool stays_behind_label(const SourceWalk& source, const gimple* statement, tree variable) {
    const gimple* at = source.in_front(statement);
    for (; at != nullptr && gimple_code(at) != GIMPLE_LABEL; at = source.in_front(at)) {
        const bool is_single =
            is_gimple_assign(at) || is_gimple_call(at) || gimple_code(at) == GIMPLE_PREDICT;
        if (!is_gimple_debug(at) && (!is_single || gimple_get_lhs(at) == variable)) return false;
    }
    return at != nullptr;
}

/// The lowest number from `first` on that compares so with `number`.
std::int64_t lowest(tree_code code, std::int64_t number, std::int64_t first) {
    switch (code) {
        case NE_EXPR:
            return first == number ? first + 1 : first;
        case EQ_EXPR:
        case GE_EXPR:
            return std::max(first, number);
        case GT_EXPR:
            return std::max(first, number + 1);
        default:
            return first;
    }
}

}  // namespace

std::int64_t first_past_branches(
    Values& values, SourceWalk& source, const gimple* start, tree counter, std::int64_t first) {
    constexpr int most_branches = 4;  // around each other
    for (int i = 0; i < most_branches; ++i) {
        const tree label = source.label_of_way(start);
        if (label == NULL_TREE || !stays_behind_label(source, start, counter)) return first;
        const Located* when_true = source.only_branch_to(label, true);
        const Located* branch =
            when_true != nullptr ? when_true : source.only_branch_to(label, false);
        if (branch == nullptr) return first;
        const tree_code code = gimple_cond_code(branch->statement);
        const tree right = gimple_cond_rhs(branch->statement);
        const bool is_of_counter = origin_of(values, gimple_cond_lhs(branch->statement)) == counter;
        if (is_of_counter && tree_fits_shwi_p(right)) {
            const tree_code said =
                when_true != nullptr ? code : invert_tree_comparison(code, false);
            first = lowest(said, tree_to_shwi(right), first);
        }
        start = branch->statement;
    }
    return first;
}

}  // namespace mqinspect::thread_level::plugin
