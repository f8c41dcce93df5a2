// Numbers that functions are handed, and what they ask of those: Conditions, further part.
#include <string>

#include "thread_level/facts/flag_facts.h"
#include "thread_level/facts/values.h"
#include "thread_level/gcc_plugin/conditions.h"
#include "thread_level/gcc_plugin/texts.h"
#include "thread_level/gcc_plugin/thread_numbers.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// Of a number alone.
bool speaks_of_argument(const Implication& said) {
    const bool is_on_argument = said.condition == Condition::ArgumentIs ||
                                said.condition == Condition::ArgumentIsNot ||
                                said.condition == Condition::ArgumentIsOrLeftOut ||
                                said.condition == Condition::ArgumentIsPositive ||
                                said.condition == Condition::ArgumentIsNotPositive;
    return is_on_argument && is_whole_parameter(said.tested) && said.number < kFirstText &&
           said.wrapper == 0 && said.provided_global == 0 &&
           said.limit.kind == Value::Kind::Unknown;
}

}  // namespace

/// What is true where the number of the thread is 0, or where it is not, and false elsewhere; else
/// nothing. Both ways: `thread == 0 && more` says nothing where it is false.
Implication Conditions::both_ways(const Branch& branch) {
    const Condition yes = branch.when_true.condition;
    const Condition no = branch.when_false.condition;
    const bool is_one = (yes == Condition::ThreadIsZero && no == Condition::ThreadIsNotZero) ||
                        (yes == Condition::ThreadIsNotZero && no == Condition::ThreadIsZero);
    return is_one ? branch.when_true : Implication{};
}

std::optional<Value> Conditions::thread_number(tree argument, ContextId context) {
    if (TREE_CODE(argument) == ADDR_EXPR && is_fortran()) argument = TREE_OPERAND(argument, 0);
    if (!is_local_name(argument) || !INTEGRAL_TYPE_P(TREE_TYPE(argument))) return {};
    operands_left_ = kMostOperands;
    if (is_index_of_loop(argument))
        return Value{.kind = Value::Kind::ThreadNumber, .number = kIndexOfLoop};
    const Operand operand = classify(argument, context, kDepth);
    // What a function gives that is not known yet may be a level, too.
    const bool may_be_number = operand.quantity == Quantity::Provided && operand.wrapper != 0 &&
                               TREE_CODE(TREE_TYPE(argument)) == INTEGER_TYPE;
    const bool is_wrapped = operand.quantity == Quantity::Wrapped || may_be_number;
    Value number;
    number.kind = Value::Kind::ThreadNumber;
    number.name = operand.wrapper;
    if (operand.shift != 0) number.number = kSumOfNumber + operand.shift;
    const bool is_sum = operand.quantity == Quantity::ShiftedNumber || is_wrapped;
    if (operand.quantity == Quantity::ThreadNumber) return number;
    operands_left_ = kMostOperands;
    const Branch branch = of_boolean(argument, context, kDepth);
    // Fortran's procedures may write the number to what they get, even to a flag.
    const bool is_flag =
        branch.when_true.condition == Condition::ThreadIsZero && branch.when_true.wrapper == 0;
    if (is_sum && !is_flag && is_number_or_sum(number) && number.number >= 0) return number;
    number.number = 0;
    Implication yes = both_ways(branch);
    number.created_once = is_partial_flag(branch);
    if (number.created_once) yes = branch.when_true;
    if (yes.condition == Condition::None) return {};
    number.name = yes.wrapper;
    number.number = yes.condition == Condition::ThreadIsZero ? kIsZero : kIsNotZero;
    return number;
}

/// A flag that thread 0 sets, perhaps: who finds it so is that thread.
bool Conditions::is_partial_flag(const Branch& branch) {
    return both_ways(branch).condition == Condition::None &&
           branch.when_true.condition == Condition::ThreadIsZero;
}

/// Of what is true where the number of the thread is 0, or where it is not; else nothing.
Implication Conditions::thread_is_zero(tree operand, ContextId context) {
    operands_left_ = kMostOperands;
    return both_ways(of_boolean(operand, context, kDepth));
}

bool Conditions::is_of_each_thread(StringId keeper) const {
    return keeper != 0 && gathering_.unit.strings[keeper].starts_with(kOwnOfThread);
}

bool Conditions::is_keeper(StringId name) const {
    return name != 0 && is_member_name(gathering_.unit.strings[name]);
}

/// What is handed over by its address, as Fortran does. That of a member of what the function is
/// handed itself comes in a temporary.
tree Conditions::handed_by_reference(tree argument) {
    if (!is_fortran()) return argument;
    if (POINTER_TYPE_P(TREE_TYPE(argument))) argument = values_.copied_address(argument);
    return TREE_CODE(argument) == ADDR_EXPR ? TREE_OPERAND(argument, 0) : argument;
}

std::optional<Value> Conditions::kept_number(tree argument, ContextId context) {
    argument = handed_by_reference(argument);
    const bool is_kept =
        TREE_CODE(argument) == COMPONENT_REF || source_.own_variable(argument) != NULL_TREE;
    if (!(is_kept || is_local_name(argument)) || !INTEGRAL_TYPE_P(TREE_TYPE(argument))) return {};
    operands_left_ = kMostOperands;
    const Operand operand = classify(argument, context, kDepth);
    Value number;
    number.kind = Value::Kind::ThreadNumber;
    number.name = operand.wrapper;
    if (!is_keeper(operand.wrapper)) {
        const Implication yes = thread_is_zero(argument, context);
        number.name = yes.wrapper;
        number.number = yes.condition == Condition::ThreadIsZero ? kIsZero : kIsNotZero;
    }
    return operand.shift == 0 && is_keeper(number.name) ? std::optional(number) : std::nullopt;
}

/// What is written to the flag several times may be something else.
std::optional<Value> Conditions::flag_of_argument(tree flag_handed, const LocatedCall& at) {
    flag_handed = handed_by_reference(flag_handed);
    const bool is_flag = TREE_CODE(TREE_TYPE(flag_handed)) == BOOLEAN_TYPE;
    const VariableUse* use =
        is_flag && is_local_name(flag_handed) ? source_.use_of(flag_handed) : nullptr;
    if (use == nullptr || use->definitions.empty()) return {};
    const bool is_set_once = use->definitions.size() == 1;
    operands_left_ = kMostOperands;
    asked_ = at.call;
    const Branch said = is_set_once
                            ? compare(NE_EXPR, flag_handed, integer_zero_node, at.context, kDepth)
                            : compare_optional(NE_EXPR, flag_handed, 0, at.context);
    asked_ = nullptr;
    FlagFacts facts;
    Value flag;
    for (const Implication* side : {&said.when_true, &said.when_false}) {
        if (!speaks_of_argument(*side)) continue;
        if (flag.kind != Value::Kind::Unknown && flag.number != side->tested.number) continue;
        flag = side->tested;
        auto& all = side == &said.when_true ? facts.if_true : facts.if_false;
        all.push_back({side->condition, side->number});
        if (side->condition != Condition::ArgumentIsOrLeftOut) continue;
        auto& other = side == &said.when_true ? facts.if_false : facts.if_true;
        other.push_back({Condition::ArgumentIsNot, kNull});
        other.push_back({Condition::ArgumentIsNot, side->number});
    }
    if (flag.kind == Value::Kind::Unknown) return {};
    flag.name = gathering_.intern(name_of_facts(facts));
    flag.created_once = true;
    return flag;
}

/// `me = 0; if (present(thread)) me = thread`, or with `else`, compared with `number`: of the
/// argument itself.
Branch Conditions::compare_optional(tree_code code,
                                    tree left,
                                    std::int64_t number,
                                    ContextId context) {
    const VariableUse* use = is_fortran() && is_local_name(left) ? source_.use_of(left) : nullptr;
    const bool is_equality = code == EQ_EXPR || code == NE_EXPR;
    if (!is_equality || use == nullptr || use->escapes || !is_left_alone(*use) ||
        use->definitions.size() != 2)
        return {};
    const bool is_else = is_constant(use->definitions[1].statement);
    const Located otherwise = use->definitions[is_else ? 1 : 0];
    const Located copy = use->definitions[is_else ? 0 : 1];
    const ContextId thread = source_.thread_context(context);
    const bool is_of_thread = source_.thread_context(otherwise.context) == thread &&
                              source_.thread_context(copy.context) == thread &&
                              (thread == 0 || source_.is_private(left, context));
    if (!is_of_thread || !is_constant(otherwise.statement) || !is_gimple_assign(copy.statement) ||
        !is_copying(copy.statement))
        return {};
    const Value tested = values_.of(gimple_assign_rhs1(copy.statement), copy.context);
    const tree label =
        is_whole_parameter(tested) ? source_.label_of_way(copy.statement) : NULL_TREE;
    const Located* there = label == NULL_TREE ? nullptr : source_.only_branch_to(label, true);
    if (there == nullptr) return {};
    const gimple* branch = there->statement;
    const tree asked = gimple_cond_lhs(branch);
    const bool is_presence =
        gimple_cond_code(branch) == NE_EXPR && POINTER_TYPE_P(TREE_TYPE(asked)) &&
        integer_zerop(gimple_cond_rhs(branch)) != 0 && values_.of(asked, there->context) == tested;
    const tree other_label = is_else ? source_.label_of_way(otherwise.statement) : label;
    if (!is_presence || other_label == NULL_TREE ||
        (is_else && source_.only_branch_to(other_label, false) != there))
        return {};
    Branch said = is_argument(code, tested, number);
    if (number != values_.constant(gimple_assign_rhs1(otherwise.statement))) return said;
    said.when_true.condition = code == EQ_EXPR ? Condition::ArgumentIsOrLeftOut : Condition::None;
    said.when_false.condition = code == NE_EXPR ? Condition::ArgumentIsOrLeftOut : Condition::None;
    return said;
}

/// Of `number % 4`, or `number & 3`, with a constant: for one of so many numbers in a row.
Branch Conditions::compare_remainder(tree_code code, tree left, tree right, ContextId context) {
    const auto number = values_.constant(right);
    const Located* definition = is_local_name(left) ? values_.only_definition(left) : nullptr;
    if (!number || definition == nullptr || !is_gimple_assign(definition->statement)) return {};
    gimple* const statement = definition->statement;
    const bool is_mask = gimple_assign_rhs_code(statement) == BIT_AND_EXPR;
    if (!is_mask && gimple_assign_rhs_code(statement) != TRUNC_MOD_EXPR) return {};
    const std::int64_t modulus =
        values_.constant(gimple_assign_rhs2(statement)).value_or(0) + (is_mask ? 1 : 0);
    if (modulus < 2 || modulus > kMostModulus || *number < 0 || *number >= modulus ||
        (is_mask && (modulus & (modulus - 1)) != 0))
        return {};
    const tree divided = gimple_assign_rhs1(statement);
    Value tested = number_in_parameter(values_, divided, context, false);
    if (tested.kind != Value::Kind::Parameter) tested = values_.of(divided, context);
    if (tested.kind != Value::Kind::Parameter) return {};
    Branch branch;
    Implication& side = code == EQ_EXPR ? branch.when_true : branch.when_false;
    side.condition = Condition::ArgumentIs;
    side.number = *number;
    side.tested = tested;
    side.limit.kind = Value::Kind::Constant;
    side.limit.number = modulus;
    return branch;
}

/// `me = id + 1`, compared with `number`: of the argument itself, as the number of a thread may be.
Branch Conditions::compare_sum(tree_code code, tree left, std::int64_t number, ContextId context) {
    if (code != EQ_EXPR && code != NE_EXPR) return {};
    if (!INTEGRAL_TYPE_P(TREE_TYPE(left)) || !TYPE_OVERFLOW_UNDEFINED(TREE_TYPE(left))) return {};
    const Sum sum = without_constants(left);
    if (sum.added == 0 || sum.term == NULL_TREE || number < sum.added) return {};
    if (TYPE_PRECISION(TREE_TYPE(sum.term)) != TYPE_PRECISION(TREE_TYPE(left))) return {};
    const Value tested = values_.of(sum.term, context);
    return is_whole_parameter(tested) ? is_argument(code, tested, number - sum.added) : Branch{};
}

/// Of a parameter with a constant, or of the text that it points to with a literal.
Branch Conditions::compare_argument(tree_code code, tree left, tree right, ContextId context) {
    auto number = values_.constant(right);
    if (!number) return {};
    Value tested = values_.of(left, context);
    if (tested.kind == Value::Kind::Parameter && tested.name != 0) return {};  // a member
    if (tested.kind != Value::Kind::Parameter) {
        const Branch by_optional = compare_optional(code, left, *number, context);
        if (by_optional.says_anything()) return by_optional;
        const Branch by_sum = compare_sum(code, left, *number, context);
        if (by_sum.says_anything()) return by_sum;
        if (*number != 0 || !is_local_name(left)) return {};
        const Located* definition = values_.only_definition(left);
        if (definition == nullptr || !is_gimple_call(definition->statement)) return {};
        const TextTest test = text_test(definition->statement, values_, context);
        if (!test.number) return {};
        tested = test.tested;
        number = test.number;
    } else if (POINTER_TYPE_P(TREE_TYPE(left)) && *number == 0) {
        number = kNull;
    }
    return is_argument(code, tested, *number);
}

}  // namespace mqinspect::thread_level::plugin
