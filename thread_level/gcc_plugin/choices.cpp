// What the labels of a switch say that the compiler has left of it.
#include "thread_level/gcc_plugin/conditions.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kMostNumbers = 64;  // that one label is looked up for

bool are_equal(tree a, tree b) {
    return a == NULL_TREE || b == NULL_TREE ? a == b : tree_int_cst_equal(a, b) != 0;
}

const Case* find(const Choice& choice, tree low, tree high) {
    for (const Case& each : choice) {
        if (are_equal(each.low, low) && are_equal(each.high, high)) return &each;
    }
    return nullptr;
}

bool is_of_others(const Implication& said) {
    return said.condition == Condition::ThreadIsNotZero ||
           (said.condition == Condition::ThreadIsOther && said.number > 0);
}

/// Of a label that stands for several of the source: each number of it is for other threads.
Implication said_by_several(const Choice& choice, tree low, tree high) {
    if (!tree_fits_shwi_p(low) || !tree_fits_shwi_p(high)) return {};
    const std::int64_t last = tree_to_shwi(high);
    if (last - tree_to_shwi(low) >= kMostNumbers) return {};
    Implication said;
    for (std::int64_t number = tree_to_shwi(low); number <= last; ++number) {
        const Case* one = find(choice, build_int_cst(TREE_TYPE(low), number), NULL_TREE);
        if (one == nullptr || !is_of_others(one->said.when_true)) return {};
        if (number != tree_to_shwi(low) && said.wrapper != one->said.when_true.wrapper) return {};
        said = one->said.when_true;
    }
    said.condition = Condition::ThreadIsNotZero;
    said.number = 0;
    return said;
}

}  // namespace

Implication said_by(const Choice& choice, const gswitch* statement, unsigned label) {
    const unsigned count = gimple_switch_num_labels(statement);
    if (label != 0) {
        const tree low = CASE_LOW(gimple_switch_label(statement, label));
        const tree high = CASE_HIGH(gimple_switch_label(statement, label));
        if (const Case* one = find(choice, low, high)) return one->said.when_true;
        return high == NULL_TREE ? Implication{} : said_by_several(choice, low, high);
    }
    // What is none of the numbers is not this one.
    for (unsigned i = 1; i < count; ++i) {
        const tree low = CASE_LOW(gimple_switch_label(statement, i));
        const tree high = CASE_HIGH(gimple_switch_label(statement, i));
        if (!integer_zerop(low) && count != 2) continue;
        if (const Case* one = find(choice, low, high)) return one->said.when_false;
    }
    return {};
}

const Branch* said_by(const Choice& choice, const gcond* condition) {
    if (gimple_cond_code(condition) != EQ_EXPR) return nullptr;
    const Case* one = find(choice, gimple_cond_rhs(condition), NULL_TREE);
    return one == nullptr ? nullptr : &one->said;
}

}  // namespace mqinspect::thread_level::plugin
