// Numbers of threads that are raised in their own variable, as `me = me + 1` does it: Conditions,
// further part. Where nothing but the raise can follow what sets the variable, and nobody asks it
// in between, it is as if it was set to the sum.
#include <algorithm>
#include <limits>
#include <unordered_set>
#include <vector>

#include "thread_level/gcc_plugin/conditions.h"
#include "thread_level/gcc_plugin/counts.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kMostBetween = 200;  // statements

/// The labels that a statement may go on at; null: one that is not known.
std::vector<tree> targets_of(gimple* statement) {
    switch (gimple_code(statement)) {
        case GIMPLE_GOTO: {
            const tree label = gimple_goto_dest(statement);
            return {DECL_P(label) ? label : NULL_TREE};
        }
        case GIMPLE_COND: {
            const auto* branch = as_a<const gcond*>(statement);
            return {gimple_cond_true_label(branch), gimple_cond_false_label(branch)};
        }
        case GIMPLE_SWITCH: {
            const auto* choice = as_a<const gswitch*>(statement);
            std::vector<tree> labels;
            for (unsigned i = 0; i < gimple_switch_num_labels(choice); ++i)
                labels.push_back(CASE_LABEL(gimple_switch_label(choice, i)));
            return labels;
        }
        default:
            return {};
    }
}

/// A comparison by order of what is no constant: whichever thread it is for, it does not tell.
bool tells_no_thread(gimple* statement) {
    if (gimple_code(statement) != GIMPLE_COND) return false;
    const tree_code code = gimple_cond_code(statement);
    return code != EQ_EXPR && code != NE_EXPR && !CONSTANT_CLASS_P(gimple_cond_lhs(statement)) &&
           !CONSTANT_CLASS_P(gimple_cond_rhs(statement));
}

/// What comes between two statements of a sequence, those inside of others, too.
struct Between {
    tree variable = NULL_TREE;  ///< that nothing is to ask, or to write
    gimple* read = nullptr;     ///< but for this one
    int statements = 0;
    std::unordered_set<tree> labels;
    std::vector<tree> targets;
    bool is_used = false;

    bool leaves() const {
        return std::ranges::any_of(targets, [&](tree label) { return !labels.contains(label); });
    }
};

tree visit_between(gimple_stmt_iterator* at, bool* handled, walk_stmt_info* info) {
    auto& between = *static_cast<Between*>(info->info);
    gimple* const statement = gsi_stmt(*at);
    if (++between.statements > kMostBetween) between.is_used = true;
    if (gimple_code(statement) == GIMPLE_LABEL)
        between.labels.insert(gimple_label_label(as_a<glabel*>(statement)));
    for (const tree label : targets_of(statement))
        between.targets.push_back(label);
    // GCC wants no result of a statement that is still to be walked.
    *handled = between.is_used || statement == between.read || is_gimple_debug(statement) ||
               tells_no_thread(statement);
    return between.is_used ? integer_zero_node : NULL_TREE;
}

tree visit_operand(tree* operand, int* /*walk_subtrees*/, void* data) {
    auto& between = *static_cast<Between*>(static_cast<walk_stmt_info*>(data)->info);
    between.is_used = between.is_used || *operand == between.variable;
    return between.is_used ? integer_zero_node : NULL_TREE;
}

/// Whether another part of the function than what is between goes to a label of that.
bool is_entered(const Between& between, const SourceWalk& source) {
    std::size_t count = 0;
    const auto add = [&](gimple* statement) {
        for (const tree label : targets_of(statement))
            if (label == NULL_TREE || between.labels.contains(label)) ++count;
    };
    for (const Located& at : source.conditions)
        add(at.statement);
    for (const Located& at : source.switches)
        add(at.statement);
    for (gimple* jump : source.jumps)
        add(jump);
    return count != between.targets.size();
}

/// Whether `raise` follows `set`, in the same sequence, whatever comes in between, no other way
/// leads to it, and none leads past it.
bool is_followed_by(
    gimple* set, gimple* raise, tree variable, gimple* read, const SourceWalk& source) {
    Between between;
    between.variable = variable;
    between.read = read;
    walk_stmt_info info = {};
    info.info = &between;
    gimple_seq rest = set->next;
    gimple_stmt_iterator at = gsi_start(rest);
    for (; !gsi_end_p(at) && gsi_stmt(at) != raise; gsi_next(&at)) {
        walk_gimple_stmt(&at, visit_between, visit_operand, &info);
        if (between.is_used) return false;
    }
    if (gsi_end_p(at) || between.leaves()) return false;
    return between.labels.empty() || !is_entered(between, source);
}

/// A call, or an assignment of something else than a constant.
bool may_set_number(gimple* statement) {
    return is_gimple_call(statement) ||
           (is_gimple_assign(statement) && is_copying(statement) && !is_constant(statement));
}

}  // namespace

/// What `definition` adds to the variable that it sets; 0: it does something else. `read`: the
/// statement in front that reads that, if it is another one.
std::int64_t Conditions::amount_raised(gimple* definition, gimple*& read) {
    const tree variable = gimple_get_lhs(definition);
    read = nullptr;
    if (variable == NULL_TREE || !VAR_P(variable) || !is_local_name(variable)) return 0;
    if (const tree number = added(definition, variable); number != NULL_TREE)
        return amount_of(definition, number);
    const tree sum = is_gimple_assign(definition) && is_copying(definition)
                         ? gimple_assign_rhs1(definition)
                         : NULL_TREE;
    if (sum == NULL_TREE || !is_local_name(sum)) return 0;
    const Located* const addition = values_.only_definition(sum);
    gimple* const adds = addition == nullptr ? nullptr : addition->statement;
    if (adds == nullptr || !is_gimple_assign(adds) || !is_local_name(gimple_assign_rhs1(adds)))
        return 0;
    const tree number = added(adds, gimple_assign_rhs1(adds));
    const Located* const copy =
        number == NULL_TREE ? nullptr : values_.only_definition(gimple_assign_rhs1(adds));
    if (copy == nullptr || !gimple_assign_single_p(copy->statement) ||
        gimple_assign_rhs1(copy->statement) != variable)
        return 0;
    read = copy->statement;
    return amount_of(adds, number);
}

/// The other definition of `use` whose number `definition` raises; null: there is none.
gimple* Conditions::raised_by(gimple* definition, const VariableUse& use) {
    gimple* read = nullptr;
    if (use.definitions.size() < 2 || amount_raised(definition, read) == 0) return nullptr;
    for (const Located& at : use.definitions) {
        gimple* other_read = nullptr;
        if (at.statement == definition || !may_set_number(at.statement) ||
            amount_raised(at.statement, other_read) != 0)
            continue;
        if (is_followed_by(at.statement, definition, gimple_get_lhs(definition), read, source_))
            return at.statement;
    }
    return nullptr;
}

/// What `definition` sets the variable to, and what it is as it is raised behind that.
Conditions::Operand Conditions::raised(Operand set,
                                       const Located& definition,
                                       const VariableUse& use) {
    const bool is_number =
        set.quantity == Quantity::ThreadNumber || set.quantity == Quantity::ShiftedNumber;
    if (!is_number && set.quantity != Quantity::Wrapped) return set;
    for (const Located& at : use.definitions) {
        if (raised_by(at.statement, use) != definition.statement) continue;
        gimple* read = nullptr;
        set.shift += amount_raised(at.statement, read);
    }
    if (is_number) set.quantity = set.shift == 0 ? Quantity::ThreadNumber : Quantity::ShiftedNumber;
    return set;
}

/// Whether the variable has its constants in front of all else, as in `me = 1` without OpenMP.
bool Conditions::begins_with_constants(const VariableUse& use) {
    int last_constant = 0;
    int first_other = std::numeric_limits<int>::max();
    for (const Located& at : use.definitions) {
        const int line = LOCATION_LINE(gimple_location(at.statement));
        if (is_constant(at.statement)) {
            last_constant = std::max(last_constant, line);
        } else {
            first_other = std::min(first_other, line);
        }
    }
    return last_constant <= first_other;
}

}  // namespace mqinspect::thread_level::plugin
