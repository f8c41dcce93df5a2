#include "thread_level/gcc_plugin/conditions.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kDepth = 10;            // of definitions that are followed
constexpr int kMostOperands = 200;    // that are looked at for one condition
constexpr std::int64_t kHighest = 3;  // MPI_THREAD_MULTIPLE

Branch swapped(Branch branch) {
    std::swap(branch.when_true, branch.when_false);
    return branch;
}

Branch make_branch(Condition when_true, Condition when_false, std::int64_t number = 0) {
    Branch branch;
    branch.when_true = {when_true, number, 0, 0};
    branch.when_false = {when_false, number, 0, 0};
    return branch;
}

/// x CODE number, in one of the forms == and >=; the second tells whether the sides change places.
struct Canonical {
    enum class Form : std::uint8_t { Other, Equal, AtLeast } form = Form::Other;
    bool is_negated = false;
    std::int64_t number = 0;
};

Canonical canonical(tree_code code, std::int64_t number) {
    using Form = Canonical::Form;
    switch (code) {
        case EQ_EXPR:
            return {Form::Equal, false, number};
        case NE_EXPR:
            return {Form::Equal, true, number};
        case GE_EXPR:
            return {Form::AtLeast, false, number};
        case GT_EXPR:
            return {Form::AtLeast, false, number + 1};
        case LT_EXPR:
            return {Form::AtLeast, true, number};
        case LE_EXPR:
            return {Form::AtLeast, true, number + 1};
        default:
            return {};
    }
}

Branch compare_thread_number(const Canonical& test) {
    if (test.form == Canonical::Form::Equal) {
        return test.number == 0
                   ? make_branch(Condition::ThreadIsZero, Condition::ThreadIsNotZero)
                   : make_branch(Condition::ThreadIsOther, Condition::None, test.number);
    }
    return test.number == 1 ? make_branch(Condition::ThreadIsNotZero, Condition::ThreadIsZero)
                            : Branch{};
}

Branch compare_team_size(const Canonical& test, bool is_maximum) {
    const Condition several = is_maximum ? Condition::None : Condition::SeveralThreads;
    if (test.form == Canonical::Form::Equal && test.number == 1)
        return make_branch(Condition::OneThread, several);
    if (test.form == Canonical::Form::AtLeast && test.number == 2)
        return make_branch(several, Condition::OneThread);
    return {};
}

/// Of what is 0 for no.
Branch compare_flag(const Canonical& test, Condition yes, Condition no) {
    if (test.number == 0 && test.form == Canonical::Form::Equal) return make_branch(no, yes);
    if (test.number == 1) return make_branch(yes, no);
    return {};
}

Branch compare_provided(const Canonical& test) {
    if (test.number < 0 || test.number > kHighest + 1) return {};
    if (test.form == Canonical::Form::AtLeast)
        return make_branch(Condition::LevelAtLeast, Condition::LevelBelow, test.number);
    const Condition otherwise = test.number == kHighest ? Condition::LevelBelow : Condition::None;
    return make_branch(Condition::LevelAtLeast, otherwise, test.number);
}

}  // namespace

Branch Conditions::of(const Located& condition) {
    const gimple* statement = condition.statement;
    const tree left = gimple_cond_lhs(statement);
    operands_left_ = kMostOperands;
    Branch branch = compare(
        gimple_cond_code(statement), left, gimple_cond_rhs(statement), condition.context, kDepth);
    const Value tested = values_.of(left, condition.context);
    branch.variable = tested.name;
    return branch;
}

Branch Conditions::compare(tree_code code, tree left, tree right, ContextId context, int depth) {
    if (depth <= 0) return {};
    if (TREE_CODE(left) == INTEGER_CST) {
        std::swap(left, right);
        code = swap_tree_comparison(code);
    }
    const Operand operand = classify(left, context, depth - 1);
    if (operand.quantity != Quantity::None) return compare_quantity(code, operand, right, context);
    const Operand other = classify(right, context, depth - 1);
    if (other.quantity != Quantity::None)
        return compare_quantity(swap_tree_comparison(code), other, left, context);
    if (code != NE_EXPR && code != EQ_EXPR) return {};
    if (!integer_zerop(right) && !integer_onep(right)) return {};
    const bool is_negated = (code == EQ_EXPR) == (integer_zerop(right) != 0);
    const Branch inner = of_boolean(left, context, depth - 1);
    return is_negated ? swapped(inner) : inner;
}

Branch Conditions::compare_quantity(tree_code code,
                                    const Operand& operand,
                                    tree right,
                                    ContextId context) {
    const auto number = values_.constant(right);
    Branch branch;
    if (!number) {
        const bool is_one = operand.quantity == Quantity::ThreadNumber && code == EQ_EXPR &&
                            is_shared_constant(right, context);
        return is_one ? make_branch(Condition::ThreadIsOther, Condition::None) : branch;
    }
    const Canonical test = canonical(code, *number);
    if (test.form == Canonical::Form::Other) return branch;
    switch (operand.quantity) {
        case Quantity::Wrapped:
        case Quantity::ThreadNumber:
            branch = compare_thread_number(test);
            break;
        case Quantity::TeamSize:
            branch = compare_team_size(test, false);
            break;
        case Quantity::MaxThreads:
            branch = compare_team_size(test, true);
            break;
        case Quantity::NestingLevel:
        case Quantity::InParallel:
            branch = compare_flag(test, Condition::InParallel, Condition::NotInParallel);
            break;
        case Quantity::MainFlag:
            branch = compare_flag(test, Condition::IsMainThread, Condition::IsNotMainThread);
            break;
        case Quantity::Provided:
            branch = compare_provided(test);
            break;
        case Quantity::None:
            break;
    }
    for (Implication* side : {&branch.when_true, &branch.when_false}) {
        if (side->condition == Condition::None) continue;
        side->wrapper = operand.wrapper;
        side->provided_global = operand.provided_global;
    }
    return test.is_negated ? swapped(branch) : branch;
}

/// The same for all threads of `context`: a parameter, or a variable set outside of it only.
bool Conditions::is_shared_constant(tree operand, ContextId context) {
    const ContextId team = source_.thread_context(context);
    if (team == 0 || !DECL_P(operand)) return false;
    if (source_.is_private(operand, context)) return false;
    const VariableUse* use = source_.use_of(operand);
    if (TREE_CODE(operand) == PARM_DECL && use == nullptr) return true;
    if (!VAR_P(operand) || is_global_var(operand) || use == nullptr || use->escapes) return false;
    if (!use->handed_over.empty()) return false;
    for (const Located& at : use->definitions) {
        if (source_.thread_context(at.context) == team) return false;
    }
    return !use->definitions.empty();
}

Branch Conditions::of_boolean(tree operand, ContextId context, int depth) {
    if (depth <= 0 || !is_local_name(operand)) return {};
    const VariableUse* use = source_.use_of(operand);
    if (use == nullptr || use->definitions.size() != 1 || use->escapes || !use->handed_over.empty())
        return {};
    const Located definition = use->definitions.front();
    if (source_.thread_context(definition.context) != source_.thread_context(context)) return {};
    if (!is_gimple_assign(definition.statement)) return {};
    return of_expression(definition.statement, context, depth - 1);
}

Branch Conditions::of_expression(gimple* assignment, ContextId context, int depth) {
    const tree_code code = gimple_assign_rhs_code(assignment);
    const tree first = gimple_assign_rhs1(assignment);
    if (TREE_CODE_CLASS(code) == tcc_comparison)
        return compare(code, first, gimple_assign_rhs2(assignment), context, depth);
    if (code == BIT_NOT_EXPR || code == TRUTH_NOT_EXPR)
        return swapped(of_boolean(first, context, depth));
    if (code == BIT_XOR_EXPR && integer_onep(gimple_assign_rhs2(assignment)))
        return swapped(of_boolean(first, context, depth));
    if (gimple_assign_single_p(assignment) || gimple_assign_cast_p(assignment))
        return of_boolean(first, context, depth);
    if (code != BIT_AND_EXPR && code != BIT_IOR_EXPR && code != TRUTH_AND_EXPR &&
        code != TRUTH_OR_EXPR)
        return {};
    const Branch left = of_boolean(first, context, depth);
    const Branch right = of_boolean(gimple_assign_rhs2(assignment), context, depth);
    Branch both;
    const bool is_and = code == BIT_AND_EXPR || code == TRUTH_AND_EXPR;
    const Implication& l = is_and ? left.when_true : left.when_false;
    const Implication& r = is_and ? right.when_true : right.when_false;
    (is_and ? both.when_true : both.when_false) = l.condition != Condition::None ? l : r;
    return both;
}

Conditions::Operand Conditions::classify(tree operand, ContextId context, int depth) {
    if (depth <= 0 || --operands_left_ < 0 || operand == NULL_TREE) return {};
    if (CONVERT_EXPR_P(operand)) return classify(TREE_OPERAND(operand, 0), context, depth - 1);
    if (is_local_name(operand)) return classify_variable(operand, context, depth - 1);
    if (!VAR_P(operand)) return {};
    if (TREE_CODE(TREE_TYPE(operand)) != INTEGER_TYPE) return {};
    Operand level;
    level.quantity = Quantity::Provided;
    level.provided_global = DECL_UID(operand);
    gathering_.global(operand);
    return level;
}

Conditions::Operand Conditions::classify_variable(tree variable, ContextId context, int depth) {
    const VariableUse* all = source_.use_of(variable);
    if (all == nullptr || all->escapes) return {};
    const VariableUse use = source_.narrowed(*all, variable, context);
    // Who is handed the number of a thread, as Fortran does with every argument, leaves it alone.
    if (!use.handed_over.empty() && !is_thread_number_only(use, depth))
        return use.definitions.size() <= 1 ? classify_handed_over(use, variable) : Operand{};
    Operand common;
    for (const Located& definition : use.definitions) {
        const Operand one = classify_definition(definition, depth);
        const bool is_first = &definition == use.definitions.data();
        if (!is_first && (one.quantity != common.quantity || one.wrapper != common.wrapper ||
                          one.provided_global != common.provided_global))
            return {};
        // A level is the same for all threads; a thread's number is of one team.
        if (one.quantity != Quantity::Provided &&
            source_.thread_context(definition.context) != source_.thread_context(context))
            return {};
        common = one;
    }
    return common;
}

Conditions::Operand Conditions::classify_definition(const Located& definition, int depth) {
    gimple* statement = definition.statement;
    if (is_gimple_call(statement)) return classify_call(statement);
    if (!is_gimple_assign(statement)) return {};
    if (!gimple_assign_single_p(statement) && !gimple_assign_cast_p(statement)) return {};
    return classify(gimple_assign_rhs1(statement), definition.context, depth - 1);
}

bool Conditions::is_thread_number_only(const VariableUse& use, int depth) {
    return !use.definitions.empty() &&
           std::all_of(use.definitions.begin(), use.definitions.end(), [&](const Located& at) {
               return classify_definition(at, depth).quantity == Quantity::ThreadNumber;
           });
}

/// A level or flag that MPI stores in a local variable.
Conditions::Operand Conditions::classify_handed_over(const VariableUse& use, tree variable) {
    Operand operand;
    for (const Located& at : use.handed_over) {
        const tree declaration = gimple_call_fndecl(at.statement);
        if (declaration == NULL_TREE) return {};
        const Callee& callee = callees_.of(declaration);
        if (callee.kind == CalleeKind::Harmless) continue;
        if (callee.kind != CalleeKind::Mpi) return {};
        Quantity quantity = Quantity::None;
        const auto is_here = [&](int position) {
            if (position < 0 ||
                static_cast<unsigned>(position) >= gimple_call_num_args(at.statement))
                return false;
            const tree argument = gimple_call_arg(at.statement, static_cast<unsigned>(position));
            return TREE_CODE(argument) == ADDR_EXPR && TREE_OPERAND(argument, 0) == variable;
        };
        if (is_here(callee.mpi->provided)) {
            quantity = Quantity::Provided;
        } else if (is_here(callee.mpi->main_flag)) {
            quantity = Quantity::MainFlag;
        } else {
            return {};
        }
        if (operand.quantity != Quantity::None && operand.quantity != quantity) return {};
        operand.quantity = quantity;
    }
    return operand;
}

Conditions::Operand Conditions::classify_call(gimple* call) {
    Operand operand;
    const tree declaration = gimple_call_fndecl(call);
    if (declaration == NULL_TREE) return operand;
    const Callee& callee = callees_.of(declaration);
    switch (callee.kind) {
        case CalleeKind::ThreadNumber:
            operand.quantity = Quantity::ThreadNumber;
            break;
        case CalleeKind::TeamSize:
            operand.quantity = Quantity::TeamSize;
            break;
        case CalleeKind::MaxThreads:
            operand.quantity = Quantity::MaxThreads;
            break;
        case CalleeKind::NestingLevel:
            operand.quantity = Quantity::NestingLevel;
            break;
        case CalleeKind::InParallel:
            operand.quantity = Quantity::InParallel;
            break;
        case CalleeKind::Other:
            // A wrapper has nothing to tell it which thread is meant.
            if (gimple_call_num_args(call) != 0) break;
            operand.quantity = Quantity::Wrapped;
            operand.wrapper = callee.symbol;
            break;
        default:
            break;
    }
    return operand;
}

Returns Conditions::returned(tree result) {
    if (result == NULL_TREE) return Returns::Other;
    operands_left_ = kMostOperands;
    switch (classify(result, 0, kDepth).quantity) {
        case Quantity::ThreadNumber:
            return Returns::ThreadNumber;
        case Quantity::TeamSize:
            return Returns::TeamSize;
        case Quantity::InParallel:
            return Returns::InParallel;
        case Quantity::MainFlag:
            return Returns::IsMainThread;
        default:
            return Returns::Other;
    }
}

}  // namespace mqinspect::thread_level::plugin
