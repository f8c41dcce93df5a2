#include "thread_level/gcc_plugin/conditions.h"

#include <algorithm>
#include <utility>

#include "thread_level/facts/values.h"
#include "thread_level/gcc_plugin/counts.h"
#include "thread_level/gcc_plugin/level_flags.h"
#include "thread_level/gcc_plugin/texts.h"
#include "thread_level/gcc_plugin/thread_numbers.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr std::int64_t kHighest = 3;  // MPI_THREAD_MULTIPLE

Branch make_branch(Condition when_true, Condition when_false, std::int64_t number = 0) {
    Branch branch;
    branch.when_true.condition = when_true;
    branch.when_false.condition = when_false;
    branch.when_true.number = branch.when_false.number = number;
    return branch;
}

Branch swapped(Branch branch) {
    std::swap(branch.when_true, branch.when_false);
    return branch;
}

/// That the text is what the case with a `number` of a table stands for.
Branch of_text(const TextTable& table, tree number) {
    if (!tree_fits_shwi_p(number)) return {};
    const auto found = table.texts.find(tree_to_shwi(number));
    if (found == table.texts.end()) return {};
    return is_argument(EQ_EXPR, table.tested, found->second);
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

/// Of the number of processes: whether there is one.
Branch compare_processes(const Canonical& test) {
    const bool is_one = test.number == (test.form == Canonical::Form::Equal ? 1 : 2);
    if (test.form == Canonical::Form::Equal && is_one)
        return make_branch(Condition::ArgumentIs, Condition::ArgumentIsNot, kOneProcess);
    if (test.number < 2) return {};
    const Condition otherwise = is_one ? Condition::ArgumentIs : Condition::None;
    return make_branch(Condition::ArgumentIsNot, otherwise, kOneProcess);
}

/// Of what is 0 for no.
Branch compare_flag(const Canonical& test, Condition yes, Condition no) {
    if (test.number == 0 && test.form == Canonical::Form::Equal) return make_branch(no, yes);
    if (test.number == 1) return make_branch(yes, no);
    return {};
}

/// Other numbers that functions return are compared with 0 or 1, or for equality.
bool asks_for_level(const Canonical& test) {
    return test.number == kHighest || (test.form == Canonical::Form::AtLeast && test.number == 2);
}

Branch compare_provided(const Canonical& test) {
    if (test.number < 0 || test.number > kHighest + 1) return {};
    if (test.form == Canonical::Form::AtLeast)
        return make_branch(Condition::LevelAtLeast, Condition::LevelBelow, test.number);
    if (test.number == 0) return make_branch(Condition::LevelBelow, Condition::LevelAtLeast, 1);
    if (test.number >= kHighest)
        return make_branch(Condition::LevelAtLeast, Condition::LevelBelow, test.number);
    Branch branch = make_branch(Condition::LevelAtLeast, Condition::None, test.number);
    branch.when_true.is_exact = true;
    return branch;
}

}  // namespace

Branch is_argument(tree_code code, const Value& tested, std::int64_t number) {
    Branch branch = make_branch(Condition::ArgumentIs, Condition::ArgumentIsNot, number);
    branch.when_true.tested = branch.when_false.tested = tested;
    return code == NE_EXPR ? swapped(branch) : branch;
}

Branch Conditions::of(const Located& condition) {
    const gimple* statement = condition.statement;
    const tree left = gimple_cond_lhs(statement);
    operands_left_ = kMostOperands;
    asked_ = statement;
    Branch branch = compare(
        gimple_cond_code(statement), left, gimple_cond_rhs(statement), condition.context, kDepth);
    asked_ = nullptr;
    branch.variable = values_.of(left, condition.context);
    return branch;
}

Implication Conditions::where_true(tree value, ContextId context) {
    operands_left_ = kMostOperands;
    return compare(NE_EXPR, value, integer_zero_node, context, kDepth).when_true;
}

Branch Conditions::compare(tree_code code, tree left, tree right, ContextId context, int depth) {
    if (depth <= 0) return {};
    if (TREE_CODE(left) == INTEGER_CST) {
        std::swap(left, right);
        code = swap_tree_comparison(code);
    }
    if (code == NE_EXPR || code == EQ_EXPR) {
        const Branch by_identity = compare_identities(code, left, right, context);
        if (by_identity.says_anything()) return by_identity;
        const Value member = number_in_parameter(values_, left, context, false);
        const auto number =
            member.kind == Value::Kind::Parameter ? values_.constant(right) : std::nullopt;
        if (number)
            return of_member_asked(is_argument(code, member, *number), left, context, depth);
    }
    const Branch by_quantity = compare_quantities(code, left, right, context, depth - 1);
    if (by_quantity.says_anything()) return by_quantity;
    if (code != NE_EXPR && code != EQ_EXPR) return compare_positive(code, left, right, context);
    for (const bool is_swapped : {false, true}) {
        const Branch by_index =
            compare_index(code, is_swapped ? right : left, is_swapped ? left : right, context);
        if (by_index.says_anything()) return by_index;
    }
    const Branch by_outer = compare_outer(code, left, right, context);
    if (by_outer.says_anything()) return by_outer;
    Branch by_argument = compare_argument(code, left, right, context);
    if (!by_argument.says_anything()) by_argument = compare_with_shared(code, left, right, context);
    if (!by_argument.says_anything()) by_argument = compare_remainder(code, left, right, context);
    if (by_argument.says_anything()) return by_argument;
    const Branch by_role = compare_role(code, left, right, context, depth - 1);
    if (by_role.says_anything()) return by_role;
    if (!integer_zerop(right) && !integer_onep(right)) return {};
    const Branch by_all = compare_united(code, left, right, context, depth - 1);
    if (by_all.says_anything()) return by_all;
    const bool is_negated = (code == EQ_EXPR) == (integer_zerop(right) != 0);
    const Branch inner = of_boolean(left, context, depth - 1);
    return is_negated ? swapped(inner) : inner;
}

/// Of a member that a thread may start with: where none does, it is what regions write to it, see
/// settle_member_asked().
Branch Conditions::of_member_asked(Branch branch, tree member, ContextId context, int depth) {
    const Operand operand = classify(member, context, depth - 1);
    if (operand.shift == 0) branch.when_true.wrapper = branch.when_false.wrapper = operand.wrapper;
    return branch;
}

/// Of a parameter that is compared by order with a small number, as that of a thread may be.
Branch Conditions::compare_positive(tree_code code, tree left, tree right, ContextId context) {
    const auto number = values_.constant(right);
    if (!number || TREE_CODE(TREE_TYPE(left)) != INTEGER_TYPE) return {};
    const Canonical test = canonical(code, *number);
    constexpr std::int64_t most = 64;
    if (test.form != Canonical::Form::AtLeast || test.number < 1 || test.number > most) return {};
    const Value tested = values_.of(left, context);
    if (!is_whole_parameter(tested)) return {};
    Branch branch = make_branch(Condition::ArgumentIsPositive, Condition::ArgumentIsNotPositive);
    branch.when_true.tested = branch.when_false.tested = tested;
    branch.when_true.number = branch.when_false.number = test.number - 1;
    return test.is_negated ? swapped(branch) : branch;
}

/// Of which one side is something that OpenMP or MPI tells.
Branch Conditions::compare_quantities(
    tree_code code, tree left, tree right, ContextId context, int depth) {
    const Operand operand = classify(left, context, depth);
    if (operand.quantity != Quantity::None) {
        Branch branch = compare_quantity(code, operand, right, context);
        const bool is_level =
            level_said(branch.when_true) != 0 || level_said(branch.when_false) != 0;
        if (operand.wrapper != 0 && !is_level) {
            const Value member = number_in_parameter(values_, left, context, true);
            if (member.kind == Value::Kind::Parameter)
                branch.when_true.tested = branch.when_false.tested = member;
        }
        if (branch.says_anything()) return branch;
    }
    const Operand other = classify(right, context, depth);
    return other.quantity == Quantity::None
               ? Branch{}
               : compare_quantity(swap_tree_comparison(code), other, left, context);
}

/// Numbers that are identities of threads: as what pthread_equal() returns of them.
Branch Conditions::compare_identities(tree_code code, tree left, tree right, ContextId context) {
    const tree type = TREE_TYPE(left);
    const bool may_be =
        TREE_CODE(right) != INTEGER_CST && INTEGRAL_TYPE_P(type) && TYPE_UNSIGNED(type);
    if (!may_be) return {};
    const Operand same = classify_identities(left, right);
    if (same.quantity == Quantity::None) return {};
    const tree_code code_of_result = code == EQ_EXPR ? NE_EXPR : EQ_EXPR;
    return compare_quantity(code_of_result, same, integer_zero_node, context);
}

Branch Conditions::compare_quantity(tree_code code,
                                    const Operand& operand,
                                    tree right,
                                    ContextId context) {
    if (operand.quantity == Quantity::CountedUp || operand.quantity == Quantity::CountedDown)
        return compare_count(code, operand, right, context);
    const auto number = values_.constant(right);
    Branch branch;
    if (!number) return compare_with_other(code, operand, right, context);
    const Canonical test = canonical(code, *number - operand.shift);
    if (test.form == Canonical::Form::Other) return branch;
    // Levels are seldom in what each thread has for itself.
    const bool asks_for_number =
        operand.is_result || is_of_each_thread(operand.wrapper)
            ? !asks_for_level(test)
            : test.form == Canonical::Form::Equal && test.number < kHighest;
    const bool may_be_number = operand.quantity == Quantity::Provided && operand.wrapper != 0;
    if (may_be_number && asks_for_number)
        return compare_quantity(code, as_number(operand), right, context);
    switch (operand.quantity) {
        case Quantity::Wrapped:
        case Quantity::ThreadNumber:
        case Quantity::ShiftedNumber:
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
        case Quantity::NotMainFlag:
            branch = compare_flag(test, Condition::IsNotMainThread, Condition::IsMainThread);
            break;
        case Quantity::InitializedFlag:
            branch = compare_flag(test, Condition::Initialized, Condition::NotInitialized);
            break;
        case Quantity::Provided:
            if (operand.is_result && !asks_for_level(test)) return {};
            branch = compare_provided(test);
            break;
        case Quantity::StaticGuard:
            branch = compare_flag(test, Condition::DrewNumber, Condition::None);
            branch.when_true.number = branch.when_false.number = kOnce;
            break;
        case Quantity::SerialThread:
            // PTHREAD_BARRIER_SERIAL_THREAD
            if (test.form == Canonical::Form::Equal && test.number == -1)
                branch.when_true.condition = Condition::DrewNumber;
            break;
        case Quantity::Raised:
            branch = compare_flag(test, Condition::None, Condition::DrewNumber);
            break;
        case Quantity::Processes:
            branch = compare_processes(test);
            break;
        case Quantity::CountedUp:
        case Quantity::CountedDown:
        case Quantity::None:
            break;
    }
    note_source(operand, branch);
    return test.is_negated ? swapped(branch) : branch;
}

/// Of the number of the thread, plus `shift`, with what all threads have in common: a local
/// variable, or a global one if the program never writes to that.
Branch Conditions::compare_with_variable(tree_code code,
                                         std::int64_t shift,
                                         tree right,
                                         ContextId context) {
    if (code != EQ_EXPR && code != NE_EXPR) return compare_with_size(code, shift, right, context);
    Branch branch = make_branch(Condition::ThreadIsOther, Condition::None);
    const Uniform same = uniform(right, context, kDepth);
    if (same == Uniform::Changing) branch.when_true.number = kChangingNumber;
    if (same == Uniform::No) {
        const auto limit = variable_in(right, context);
        const std::int64_t number = limit ? limit->second - shift : 0;
        if (!limit || number < -kMostAdded || number > kMostAdded) return {};
        branch.when_false.condition = Condition::ThreadIsNotZero;
        branch.when_true.limit = branch.when_false.limit = limit->first;
        branch.when_true.number = branch.when_false.number = number;
    }
    return code == NE_EXPR ? swapped(branch) : branch;
}

/// Of the same, by order: what is not below the number of threads minus 1 is the last thread's.
Branch Conditions::compare_with_size(tree_code code,
                                     std::int64_t shift,
                                     tree right,
                                     ContextId context) {
    const Sum sum = without_constants(right);
    if (classify(sum.term, context, kDepth).quantity != Quantity::TeamSize) return {};
    const Canonical test = canonical(code, sum.added - shift);
    if (test.form != Canonical::Form::AtLeast || test.number != -1) return {};
    const Branch branch = make_branch(Condition::ThreadIsOther, Condition::None);
    return test.is_negated ? swapped(branch) : branch;
}

/// `level == thread_multiple`, both global variables: which is which, the program tells.
Branch Conditions::compare_levels(tree_code code,
                                  const Operand& operand,
                                  tree right,
                                  ContextId context) {
    const Value limit = values_.of(right, context);
    if (limit.kind != Value::Kind::Global || operand.is_result) return {};
    const Canonical test = canonical(code, 0);
    // "Above" needs the next number, which is not known.
    if (test.form == Canonical::Form::Other || test.number != 0) return {};
    Branch branch = make_branch(Condition::LevelAtLeast, Condition::LevelBelow);
    for (Implication* side : {&branch.when_true, &branch.when_false}) {
        side->provided_global = operand.provided_global;
        side->tested = operand.global;
        side->limit = limit;
    }
    return test.is_negated ? swapped(branch) : branch;
}

Branch Conditions::of_boolean(tree operand, ContextId context, int depth) {
    const bool is_flag = TREE_CODE(TREE_TYPE(operand)) == BOOLEAN_TYPE;
    if (is_flag && TREE_CODE(operand) == PARM_DECL)
        return compare_argument(NE_EXPR, operand, boolean_false_node, context);
    if (depth <= 0 || !is_local_name(operand)) return {};
    const VariableUse* use = source_.use_of(operand);
    if (use == nullptr || use->escapes || !is_left_alone(*use)) return {};
    // One that it is set to behind a constant.
    const auto is_set = [](const Located& at) { return !is_constant(at.statement); };
    const auto first = std::find_if(use->definitions.begin(), use->definitions.end(), is_set);
    if (first == use->definitions.end()) {
        const Branch branch = of_short_circuit(operand, context, depth - 1);
        return branch.says_anything() ? branch : of_flag(operand, context, depth - 1);
    }
    const bool is_one = std::none_of(std::next(first), use->definitions.end(), is_set) ||
                        source_.one_definition(*use) != nullptr;
    const auto last = is_one ? std::optional(*first) : last_set(*use, operand, context);
    if (!last || operand == overwritten_) return {};
    const Located definition = *last;
    if (source_.thread_context(definition.context) != source_.thread_context(context) ||
        source_.is_mixed_up(operand, definition.context, context))
        return {};
    const auto [is_set_false, is_set_true] = constants_set_again(*use);
    const auto is_false = [](const Located& at) {
        return !is_constant(at.statement) || integer_zerop(gimple_assign_rhs1(at.statement)) != 0;
    };
    const bool is_else_false =
        use->definitions.size() > 1 && std::ranges::all_of(use->definitions, is_false);
    Branch branch;
    if (is_else_false && use->definitions.size() == 2)
        branch.when_true = where_left(definition, use->definitions.back());
    if (is_gimple_call(definition.statement)) {
        if (is_set_false || is_set_true) return branch;
        const Operand result = classify_call(definition.statement, definition.context, depth);
        return result.quantity != Quantity::None
                   ? compare_quantity(NE_EXPR, result, integer_zero_node, context)
                   : Branch{};
    }
    if (!is_gimple_assign(definition.statement)) return {};
    const tree outer = std::exchange(overwritten_, is_one ? overwritten_ : operand);
    const Implication left =
        std::exchange(branch, of_expression(definition.statement, context, depth - 1)).when_true;
    overwritten_ = outer;
    if (is_set_true) branch.when_true = {};
    if (is_set_false) branch.when_false = {};
    branch.when_true = stronger(branch.when_true, left);
    if (is_else_false)
        branch.when_true = stronger(branch.when_true, known_at(definition, depth - 1));
    return branch;
}

/// Of a flag, also one that each thread has in a variable of its own.
Branch Conditions::of_copied(tree operand, ContextId context, int depth) {
    if (is_local_name(operand)) return of_boolean(operand, context, depth);
    const Operand flag = classify(operand, context, depth);
    if (flag.quantity == Quantity::Wrapped)
        return compare_quantity(NE_EXPR, flag, integer_zero_node, context);
    return TREE_CODE(TREE_TYPE(operand)) == BOOLEAN_TYPE
               ? compare_argument(NE_EXPR, operand, boolean_false_node, context)
               : Branch{};
}

Branch Conditions::of_expression(gimple* assignment, ContextId context, int depth) {
    const tree_code code = gimple_assign_rhs_code(assignment);
    const tree first = gimple_assign_rhs1(assignment);
    if (TREE_CODE_CLASS(code) == tcc_comparison)
        return compare(code, first, gimple_assign_rhs2(assignment), context, depth);
    if (code == BIT_NOT_EXPR || code == TRUTH_NOT_EXPR)
        return swapped(compare(NE_EXPR, first, integer_zero_node, context, depth));
    if (code == BIT_XOR_EXPR && integer_onep(gimple_assign_rhs2(assignment)))
        return swapped(of_boolean(first, context, depth));
    if (is_copying(assignment)) return of_copied(first, context, depth);
    if (code != BIT_AND_EXPR && code != BIT_IOR_EXPR && code != TRUTH_AND_EXPR &&
        code != TRUTH_OR_EXPR)
        return {};
    const Branch left = of_boolean(first, context, depth);
    const Branch right = of_boolean(gimple_assign_rhs2(assignment), context, depth);
    Branch both;
    const bool is_and = code == BIT_AND_EXPR || code == TRUTH_AND_EXPR;
    if (is_and) {
        both.when_true = stronger(left.when_true, right.when_true);
    } else {
        both.when_false = stronger(left.when_false, right.when_false);
        both.when_true = zero_of_either(left.when_true, right.when_true);
    }
    return both;
}

/// What a label of a `switch` says, by what `is_number` says of one number.
Branch Conditions::of_label(tree label, const std::function<Branch(tree)>& is_number) {
    const tree low = CASE_LOW(label);
    const tree high = CASE_HIGH(label);
    if (high == NULL_TREE) return is_number(low);
    // Several: none of them is 0.
    Implication several = is_number(low).when_true;
    if (several.condition != Condition::ThreadIsOther || several.number <= 0) return {};
    const tree highest = TYPE_MAX_VALUE(TREE_TYPE(high));
    const bool are_all = several.number == 1 && tree_int_cst_equal(high, highest) != 0;
    several.condition = Condition::ThreadIsNotZero;
    several.number = 0;
    Branch branch;
    branch.when_true = several;
    if (are_all) {
        branch.when_false = several;
        branch.when_false.condition = Condition::ThreadIsZero;
    }
    return branch;
}

Choice Conditions::of_switch(const Located& statement) {
    const gswitch* choice = as_a<const gswitch*>(statement.statement);
    const tree index = gimple_switch_index(choice);
    operands_left_ = kMostOperands;
    const Operand operand = classify(index, statement.context, kDepth);
    const TextTable table = text_table(index, values_, statement.context);
    const auto is_number = [&](tree number) {
        if (!table.texts.empty()) return of_text(table, number);
        if (operand.quantity == Quantity::None) {
            const Branch by_argument = compare_argument(EQ_EXPR, index, number, statement.context);
            return by_argument.says_anything()
                       ? by_argument
                       : compare(EQ_EXPR, index, number, statement.context, kDepth);
        }
        return compare_quantity(EQ_EXPR, operand, number, statement.context);
    };
    Choice cases;
    bool says = false;
    for (unsigned i = 1; i < gimple_switch_num_labels(choice); ++i) {
        const tree label = gimple_switch_label(choice, i);
        cases.push_back(
            {.low = CASE_LOW(label), .high = CASE_HIGH(label), .said = of_label(label, is_number)});
        says = says || cases.back().said.says_anything();
    }
    return says ? cases : Choice{};
}

}  // namespace mqinspect::thread_level::plugin
