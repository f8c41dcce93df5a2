// Variables that keep `a && b` or `a || b`, of which GCC makes branches: Conditions, further part.
#include <algorithm>
#include <iterator>
#include <set>
#include <span>

#include "thread_level/gcc_plugin/conditions.h"
#include "thread_level/gcc_plugin/own_try_locks.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// What is not sure to be said yet, as it takes the rest of the unit, or of the program, is less.
/// That there is one thread is more than a level, and that more than which thread it is not.
int strength(const Implication& implication) {
    if (implication.condition == Condition::None) return 0;
    const bool may_be_number =
        implication.wrapper != 0 && implication.condition == Condition::ThreadIsZero;
    if (may_be_number) return 3;
    if (implication.provided_global != 0) return 1;
    if (implication.tested.kind != Value::Kind::Unknown) return 2;
    if (implication.wrapper != 0) return 3;
    switch (implication.condition) {
        case Condition::ThreadIsZero:
        case Condition::ThreadIsOther:
        case Condition::IsMainThread:
        case Condition::DrewNumber:
        case Condition::OneThread:
        case Condition::NotInParallel:
            return 6;
        case Condition::LevelAtLeast:
        case Condition::LevelBelow:
            return 5;
        default:
            return 4;
    }
}

}  // namespace

const Implication& stronger(const Implication& a, const Implication& b) {
    return strength(b) > strength(a) ? b : a;
}

tree label_before(gimple* statement) {
    // The first of a sequence has the last one as its `prev`.
    for (gimple* at = statement->prev; at->next != nullptr; at = at->prev) {
        if (gimple_code(at) == GIMPLE_LABEL) return gimple_label_label(as_a<glabel*>(at));
        if (!is_gimple_assign(at) && !is_gimple_call(at) && !is_gimple_debug(at)) return NULL_TREE;
    }
    return NULL_TREE;
}

/// What all branches say together that lead to `label` one after the other, each with its other
/// side at `otherwise`: `a && b` where the sides are those of true conditions, else `!a && !b`.
Implication Conditions::of_chain(tree label, tree otherwise, bool is_true_side, int depth) {
    Implication all;
    for (const Implication& side : sides_of_chain(label, otherwise, is_true_side, depth))
        all = stronger(side, all);
    return all;
}

/// Each of them, the last one first.
std::vector<Implication> Conditions::sides_of_chain(tree label,
                                                    tree otherwise,
                                                    bool is_true_side,
                                                    int depth) {
    std::vector<Implication> sides;
    for (const Branch& said : branches_of_chain(label, otherwise, is_true_side, depth))
        sides.push_back(is_true_side ? said.when_true : said.when_false);
    return sides;
}

std::vector<Branch> Conditions::branches_of_chain(tree label,
                                                  tree otherwise,
                                                  bool is_true_side,
                                                  int depth) {
    constexpr int most_branches = 8;
    std::vector<Branch> branches;
    for (int i = 0; i < most_branches && label != NULL_TREE; ++i) {
        const Located* branch = source_.only_branch_to(label, is_true_side);
        if (branch == nullptr) break;
        const Located at = *branch;
        const auto* condition = as_a<const gcond*>(at.statement);
        const tree other =
            is_true_side ? gimple_cond_false_label(condition) : gimple_cond_true_label(condition);
        if (!source_.are_one_place(other, otherwise)) break;
        branches.push_back(compare(gimple_cond_code(condition),
                                   gimple_cond_lhs(condition),
                                   gimple_cond_rhs(condition),
                                   at.context,
                                   depth - 1));
        label = label_before(at.statement);
    }
    return branches;
}

/// Of `a || b`, whose branches lead to `one` or on to the next, and the last one to `zero`: what
/// says of each that the thread has number 0. Or, by their true sides, of `!(a && b)`.
Implication Conditions::zero_of_chain(tree zero, tree one, bool is_true_side, int depth) {
    const std::vector<Branch> branches = branches_of_chain(zero, one, is_true_side, depth);
    const auto leads_there = [this, one](const Located& at) {
        const auto* condition = as_a<const gcond*>(at.statement);
        return source_.are_one_place(gimple_cond_true_label(condition), one) ||
               source_.are_one_place(gimple_cond_false_label(condition), one);
    };
    const auto count = std::ranges::count_if(source_.conditions, leads_there);
    if (branches.size() < 2 || std::ssize(branches) != count || source_.is_jumped_to(one))
        return {};
    const auto side = [is_true_side](const Branch& said) {
        return is_true_side ? said.when_false : said.when_true;
    };
    Implication all = side(branches.front());
    for (const Branch& said : std::span(branches).subspan(1))
        all = zero_of_either(all, side(said));
    return all;
}

/// `me = omp_get_thread_num(); if (is_alone) me = 0;`: whether a variable is set to the number of
/// the first thread, from 0 or from 1, behind what else it is set to, and what is asked comes
/// behind that.
bool Conditions::is_reset(const VariableUse& use, const Located& constant) const {
    const tree label = source_.label_of_way(constant.statement);
    const tree number = gimple_assign_rhs1(constant.statement);
    const bool is_first = integer_zerop(number) || integer_onep(number);
    if (label == NULL_TREE || !is_first || !is_asked_behind(constant.statement)) return false;
    const Located* branch = source_.only_branch_to(label, true);
    if (branch == nullptr) branch = source_.only_branch_to(label, false);
    return branch != nullptr && std::ranges::any_of(use.definitions, [&](const Located& at) {
               return !is_constant(at.statement) && leads_on(at.statement, branch->statement);
           });
}

/// Whether a flag is set so again to false, and to true.
std::array<bool, 2> Conditions::constants_set_again(const VariableUse& use) const {
    std::array<bool, 2> again{};
    for (const Located& at : use.definitions) {
        if (is_constant(at.statement) && is_reset(use, at))
            again[integer_zerop(gimple_assign_rhs1(at.statement)) ? 0 : 1] = true;
    }
    return again;
}

/// In front of what sets the variable to 0, and to 1; null: it is nothing like that.
std::array<tree, 2> Conditions::short_circuit_labels(tree operand, ContextId context) {
    if (!VAR_P(operand) || !DECL_ARTIFICIAL(operand)) return {};
    const VariableUse* use = source_.use_of(operand);
    if (use == nullptr || use->definitions.size() != 2) return {};
    std::array<tree, 2> labels{};
    for (const Located& at : use->definitions) {
        if (source_.thread_context(at.context) != source_.thread_context(context) ||
            !is_constant(at.statement))
            return {};
        const tree value = gimple_assign_rhs1(at.statement);
        if (!integer_zerop(value) && !integer_onep(value)) return {};
        labels[integer_onep(value) ? 1 : 0] = label_before(at.statement);
    }
    const bool are_all = labels[0] != NULL_TREE && labels[1] != NULL_TREE;
    return are_all ? labels : std::array<tree, 2>{};
}

Branch Conditions::of_short_circuit(tree operand, ContextId context, int depth) {
    if (depth <= 0) return {};
    const auto [zero, one] = short_circuit_labels(operand, context);
    if (one == NULL_TREE) return {};
    Branch branch;
    branch.when_true = of_chain(one, zero, true, depth);
    branch.when_false = of_chain(zero, one, false, depth);
    for (const bool is_true_side : {false, true}) {
        if (branch.when_true.condition == Condition::None)
            branch.when_true = zero_of_chain(zero, one, is_true_side, depth);
    }
    return branch;
}

/// What all is true where the operand is.
std::vector<Implication> Conditions::true_parts(tree operand, ContextId context, int depth) {
    if (depth <= 0) return {};
    const Located* made = is_local_name(operand) ? values_.only_definition(operand) : nullptr;
    const auto [zero, one] = is_local_name(operand) && made == nullptr
                                 ? short_circuit_labels(operand, context)
                                 : std::array<tree, 2>{};
    if (one != NULL_TREE) return sides_of_chain(one, zero, true, depth);
    if (made != nullptr && is_gimple_assign(made->statement)) {
        const Located at = *made;
        const tree_code code = gimple_assign_rhs_code(at.statement);
        const tree first = gimple_assign_rhs1(at.statement);
        if (is_copying(at.statement)) return true_parts(first, at.context, depth - 1);
        std::vector<Implication> parts;
        if (code == BIT_AND_EXPR || code == TRUTH_AND_EXPR) {
            for (const tree part : {first, gimple_assign_rhs2(at.statement)}) {
                std::ranges::copy(true_parts(part, at.context, depth - 1),
                                  std::back_inserter(parts));
            }
            return parts;
        }
        if (code == EQ_EXPR && integer_zerop(gimple_assign_rhs2(at.statement)))
            parts = zero_parts(first, at.context, depth - 1);
        if (!parts.empty()) return parts;
    }
    return {of_boolean(operand, context, depth).when_true};
}

/// What is known where `write` is executed: by a branch or a `switch` in front, or a master
/// construct.
Implication Conditions::known_at(const Located& write, int depth) {
    Implication known;
    if (source_.is_in_master(write.context)) {
        known.condition = Condition::ThreadIsZero;
        return known;
    }
    const tree label = depth <= 0 ? NULL_TREE : source_.label_of_way(write.statement);
    if (label == NULL_TREE) return known;
    for (const bool is_true_side : {true, false}) {
        const Located* branch = source_.only_branch_to(label, is_true_side);
        if (branch == nullptr) continue;
        if (finds_first(*branch, label, is_true_side)) {
            known.condition = Condition::DrewNumber;
            return known;
        }
        const auto* condition = as_a<const gcond*>(branch->statement);
        const tree other =
            is_true_side ? gimple_cond_false_label(condition) : gimple_cond_true_label(condition);
        return of_chain(label, other, is_true_side, depth);
    }
    return of_case(label, depth);
}

/// What the only label of a `switch` says that leads to `label`, if it is for one number.
Implication Conditions::of_case(tree label, int depth) {
    std::optional<Located> at;
    tree number = NULL_TREE;
    const auto leads_here = [label](const Located& branch) {
        const auto* condition = as_a<const gcond*>(branch.statement);
        return gimple_cond_true_label(condition) == label ||
               gimple_cond_false_label(condition) == label;
    };
    for (const Located& choice : source_.switches) {
        const auto* cases = as_a<const gswitch*>(choice.statement);
        for (unsigned i = 0; i < gimple_switch_num_labels(cases); ++i) {
            const tree one = gimple_switch_label(cases, i);
            if (CASE_LABEL(one) != label) continue;
            if (at || CASE_LOW(one) == NULL_TREE || CASE_HIGH(one) != NULL_TREE) return {};
            at = choice;
            number = CASE_LOW(one);
        }
    }
    if (!at || source_.is_jumped_to(label) || std::ranges::any_of(source_.conditions, leads_here))
        return {};
    const tree index = gimple_switch_index(as_a<const gswitch*>(at->statement));
    return compare(EQ_EXPR, index, number, at->context, depth - 1).when_true;
}

/// `if (taken == 0) { mine = 1; taken = 1; }` under a lock: one thread finds it so. That nobody
/// sets it to 0 again while threads may come is taken for granted.
bool Conditions::finds_first(const Located& branch, tree label, bool is_true_side) {
    tree variable = NULL_TREE;
    const tree_code code = gimple_cond_code(branch.statement);
    bool is_zero = is_true_side == (code == EQ_EXPR);
    const gimple* const lock = lock_of_test(branch, variable, is_zero);
    if ((code != EQ_EXPR && code != NE_EXPR) || !is_zero ||
        !integer_zerop(gimple_cond_rhs(branch.statement)) || lock == nullptr || !VAR_P(variable))
        return false;
    return source_.is_common(variable, branch.context) &&
           std::ranges::any_of(source_.guarded, [&](const auto& write) {
               return write.lock == lock && is_constant(write.statement) &&
                      gimple_assign_lhs(write.statement) == variable &&
                      !integer_zerop(gimple_assign_rhs1(write.statement)) &&
                      label_before(write.statement) == label;
           });
}

/// Under which `variable` is read that the branch tests; null: under none. `is_zero` is turned
/// round for what is negated.
gimple* Conditions::lock_of_test(const Located& branch, tree& variable, bool& is_zero) const {
    constexpr int most_copies = 3;
    variable = gimple_cond_lhs(branch.statement);
    const gimple* read = branch.statement;
    for (int i = 0; i < most_copies && is_local_name(variable); ++i) {
        const Located* copy = values_.only_definition(variable);
        if (copy == nullptr || !is_gimple_assign(copy->statement)) break;
        const auto negation = negates(copy->statement);
        if (!negation && !gimple_assign_single_p(copy->statement)) break;
        is_zero = is_zero != negation.value_or(false);
        read = copy->statement;
        variable = gimple_assign_rhs1(read);
    }
    const SourceWalk::Guarded* const under = guarded(read);
    return under == nullptr ? nullptr : under->lock;
}

/// `mine = false; if (thread == 0) mine = true;` of a variable that each thread has for itself.
Branch Conditions::of_flag(tree operand, ContextId context, int depth) {
    const ContextId thread = source_.thread_context(context);
    const VariableUse* all = source_.use_of(operand);
    if (depth <= 0 || all == nullptr || (thread != 0 && !source_.is_private(operand, context)))
        return {};
    std::optional<Located> set;
    const std::vector<Located> definitions = source_.narrowed(*all, operand, context).definitions;
    for (const Located& at : definitions) {
        if (integer_zerop(gimple_assign_rhs1(at.statement))) continue;
        if (set || source_.thread_context(at.context) != thread) return {};
        set = at;
    }
    Branch branch;
    if (!set) return branch;
    const bool is_first = set->statement == definitions.front().statement;
    branch.when_true = definitions.size() == 2
                           ? known_of_two(*set, definitions[is_first ? 1 : 0], depth)
                           : known_at(*set, depth);
    return branch;
}

/// Whether what is asked comes behind `statement`.
bool Conditions::is_asked_behind(const gimple* statement) const {
    return asked_ != nullptr &&
           (gimple_code(asked_) == GIMPLE_RETURN ||
            LOCATION_LINE(gimple_location(asked_)) > LOCATION_LINE(gimple_location(statement)));
}

bool leads_on(const gimple* first, const gimple* second) {
    constexpr int most_between = 64;
    std::set<tree> open;
    for (int i = 0; i < most_between && first != nullptr; ++i, first = first->next) {
        if (first == second) return open.empty();
        if (gimple_code(first) == GIMPLE_COND) {
            const auto* condition = as_a<const gcond*>(first);
            open.insert(gimple_cond_true_label(condition));
            open.insert(gimple_cond_false_label(condition));
        } else if (gimple_code(first) == GIMPLE_GOTO) {
            open.insert(gimple_goto_dest(first));
        } else if (gimple_code(first) == GIMPLE_LABEL) {
            open.erase(gimple_label_label(as_a<const glabel*>(first)));
        } else if (is_jump(first)) {
            return false;
        }
    }
    return false;
}

/// What is known where a variable is `set` so, and not to what the `other` of two sets it to.
Implication Conditions::known_of_two(const Located& set, const Located& other, int depth) {
    const Implication known = known_at(set, depth);
    return known.condition == Condition::None ? where_left(set, other) : known;
}

/// What a variable is set to by the last of its definitions, as in `mine = mine && thread == 0`, if
/// the others come in front of that in any case, and what is asked behind it. What others are in
/// front of a region that copies it for each thread is overwritten there, in any case.
std::optional<Located> Conditions::last_set(const VariableUse& use,
                                            tree variable,
                                            ContextId context) const {
    const ContextId team = source_.thread_context(context);
    std::vector<Located> inside;
    std::ranges::copy_if(use.definitions, std::back_inserter(inside), [&](const Located& at) {
        return source_.thread_context(at.context) == team;
    });
    if (inside.empty()) return std::nullopt;
    const Located& last = inside.back();
    const gimple* first = last.statement;
    while (first->prev->next != nullptr)
        first = first->prev;
    const bool is_copied = is_fortran() && team != 0 && source_.is_private(variable, context) &&
                           leads_on(first, last.statement);
    const bool are_before = std::ranges::all_of(inside, [&](const Located& at) {
        return at.context == last.context && leads_on(at.statement, last.statement);
    });
    if (inside.size() < use.definitions.size() && !is_copied) return std::nullopt;
    return are_before && is_asked_behind(last.statement) ? std::optional(last) : std::nullopt;
}

/// `role = 2; if (thread == 0) role = 1;` of a variable that each thread has for itself, compared
/// with one of its constants: what is known where it is set to that, or to the only other one.
Branch Conditions::compare_role(
    tree_code code, tree left, tree right, ContextId context, int depth) {
    constexpr int most_copies = 3;
    if (depth <= 0 || (code != EQ_EXPR && code != NE_EXPR) || TREE_CODE(right) != INTEGER_CST)
        return {};
    const ContextId thread = source_.thread_context(context);
    std::vector<Located> definitions;
    for (int i = 0; i < most_copies && is_local_name(left); ++i) {
        const VariableUse* use = source_.use_of(left);
        const bool is_own = TREE_CODE(left) == SSA_NAME || DECL_ARTIFICIAL(left) || thread == 0 ||
                            source_.is_private(left, context);
        if (use == nullptr || use->escapes || !use->handed_over.empty() || !is_own) return {};
        definitions = use->definitions;
        const bool is_copy =
            definitions.size() == 1 && is_gimple_assign(definitions[0].statement) &&
            is_copying(definitions[0].statement) && !is_constant(definitions[0].statement);
        if (!is_copy) break;
        left = gimple_assign_rhs1(definitions[0].statement);
    }
    std::optional<Located> set;
    std::optional<Located> other;
    for (const Located& at : definitions) {
        if (!is_constant(at.statement) || source_.thread_context(at.context) != thread) return {};
        const bool is_it = tree_int_cst_equal(gimple_assign_rhs1(at.statement), right) != 0;
        if (is_it && set) return {};
        (is_it ? set : other) = at;
    }
    if (definitions.size() < 2 || !set) return {};
    Branch branch;
    branch.when_true =
        definitions.size() == 2 ? known_of_two(*set, *other, depth) : known_at(*set, depth);
    if (definitions.size() == 2) branch.when_false = known_of_two(*other, *set, depth);
    if (code == NE_EXPR) std::swap(branch.when_true, branch.when_false);
    return branch;
}

}  // namespace mqinspect::thread_level::plugin
