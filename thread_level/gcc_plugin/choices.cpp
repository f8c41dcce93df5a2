// What the ways of a branch say, and the labels of a switch that the compiler has left of it:
// Skeleton, fifth part.
#include "thread_level/gcc_plugin/skeleton.h"

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

/// Whether the number is how far it is from the first of a range to the last.
bool is_length(tree number, const Case& range) {
    return TREE_CODE(number) == INTEGER_CST && range.high != NULL_TREE &&
           wi::to_widest(number) == wi::to_widest(range.high) - wi::to_widest(range.low);
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
        if (!integer_zerop(low) && high == NULL_TREE && count != 2) continue;
        if (const Case* one = find(choice, low, high)) return one->said.when_false;
    }
    return {};
}

const Branch* said_by(const Choice& choice, const gcond* condition) {
    const tree_code code = gimple_cond_code(condition);
    // GCC takes the first of the range off the number for that.
    if (code == LE_EXPR && choice.size() == 1 &&
        is_length(gimple_cond_rhs(condition), choice.front()))
        return &choice.front().said;
    if (code != EQ_EXPR) return nullptr;
    const Case* one = find(choice, gimple_cond_rhs(condition), NULL_TREE);
    return one == nullptr ? nullptr : &one->said;
}

/// Whether the other way is that of thread 1, in a team of two.
bool Skeleton::is_first_of_two(edge guarding, RegionId region) const {
    constexpr int sides = EDGE_TRUE_VALUE | EDGE_FALSE_VALUE;
    if ((guarding->flags & sides) == 0 || !is_in_team_of_two(function_.regions, region))
        return false;
    edge other = nullptr;
    edge_iterator at;
    FOR_EACH_EDGE(other, at, guarding->src->succs) {
        if (other == guarding || (other->flags & sides) == 0) continue;
        const Implication said = implication_of(other);
        return said.condition == Condition::ThreadIsOther && said.number == 1 &&
               said.wrapper == 0 && implication_of(guarding).condition == Condition::None;
    }
    return false;
}

/// What the way along `guarding` says, if it is one side of a branch.
Implication Skeleton::implication_of(edge guarding) const {
    gimple* statement = last_statement(guarding->src);
    if ((guarding->flags & (EDGE_TRUE_VALUE | EDGE_FALSE_VALUE)) != 0) {
        const Branch* const branch = prepared_.branch_at(statement);
        if (branch == nullptr) return {};
        return (guarding->flags & EDGE_TRUE_VALUE) != 0 ? branch->when_true : branch->when_false;
    }
    const auto choice = prepared_.choices.find(statement);
    if (choice == prepared_.choices.end()) return {};
    Implication said;
    bool is_first = true;
    const gswitch* const labels = as_a<gswitch*>(statement);
    for (unsigned i = 0; i < gimple_switch_num_labels(labels); ++i) {
        const tree label = gimple_switch_label(labels, i);
        if (label_to_block(cfun, CASE_LABEL(label)) != guarding->dest) continue;
        const Implication one = said_by(choice->second, labels, i);
        if (is_first) {
            said = one;
        } else {
            if (!is_of_others(said) || !is_of_others(one)) return {};
            said.condition = Condition::ThreadIsNotZero;
            said.number = 0;
        }
        is_first = false;
    }
    return said;
}

}  // namespace mqinspect::thread_level::plugin
