// Whether all threads of a team have the same value in a variable: Conditions, second part.
#include <algorithm>

#include "thread_level/facts/values.h"
#include "thread_level/gcc_plugin/conditions.h"
#include "thread_level/gcc_plugin/thread_numbers.h"

namespace mqinspect::thread_level::plugin {

/// Whether all threads of `context` have the same value there, if they do the same. Outside of
/// regions these are the threads of whichever team calls the function.
Conditions::Uniform Conditions::uniform(tree operand, ContextId context, int depth) {
    if (values_.constant(operand) || is_shared_constant(operand, context) ||
        is_part_of_shared(operand, context))
        return Uniform::Always;
    const ContextId team = source_.thread_context(context);
    if (depth <= 0 || --operands_left_ < 0 || !is_local_name(operand)) return Uniform::No;
    if (std::ranges::find(followed_, operand) != followed_.end()) return Uniform::Always;
    const VariableUse* found = source_.use_of(operand);
    if (found == nullptr || found->escapes || !is_left_alone(*found)) return Uniform::No;
    // Without what the same variable is elsewhere: the index of a worksharing loop has nothing
    // left.
    const VariableUse use = source_.narrowed(*found, operand, context);
    followed_.push_back(operand);
    Uniform all = source_.one_definition(use) != nullptr ? Uniform::Always : Uniform::Changing;
    for (const Located& at : use.definitions) {
        const bool is_here = source_.thread_context(at.context) == team;
        const Uniform one = is_here ? uniform_definition(at, depth - 1) : Uniform::No;
        if (one != Uniform::Always) all = one;
        if (one == Uniform::No) break;
    }
    followed_.pop_back();
    return use.definitions.empty() ? Uniform::No : all;
}

Conditions::Uniform Conditions::uniform_definition(const Located& definition, int depth) {
    gimple* statement = definition.statement;
    if (is_gimple_call(statement)) {
        const Quantity quantity = classify_call(statement, definition.context, depth).quantity;
        const bool is_size = quantity == Quantity::TeamSize || quantity == Quantity::MaxThreads;
        return is_size ? Uniform::Always : Uniform::No;
    }
    if (!is_gimple_assign(statement)) return Uniform::No;
    Uniform all = Uniform::Always;
    for (unsigned i = 1; i < gimple_num_ops(statement); ++i) {
        const Uniform one = uniform(gimple_op(statement, i), definition.context, depth);
        if (one != Uniform::Always) all = one;
        if (one == Uniform::No) break;
    }
    return all;
}

bool Conditions::is_same_for_all(tree argument, ContextId context) {
    if (TREE_CODE(argument) == ADDR_EXPR && is_fortran()) argument = TREE_OPERAND(argument, 0);
    if (!INTEGRAL_TYPE_P(TREE_TYPE(argument))) return false;
    operands_left_ = kMostOperands;
    return uniform(argument, context, kDepth) == Uniform::Always;
}

bool Conditions::is_same_in_rounds(tree operand, ContextId context) {
    operands_left_ = kMostOperands;
    return uniform(operand, context, kDepth) != Uniform::No ||
           variable_in(operand, context).has_value();
}

/// Whether it is the index of a worksharing loop, of which one thread executes each iteration.
bool Conditions::is_index_of_loop(tree operand) {
    tree index = strip(operand);
    // Where the loop's variable has an address, it is a copy, and read by way of another one.
    for (int copies = 0; copies < 2 && is_local_name(index); ++copies) {
        const Located* copy = values_.only_assignment(index);
        if (copy == nullptr || !is_gimple_assign(copy->statement) || !is_copying(copy->statement))
            break;
        index = strip(gimple_assign_rhs1(copy->statement));
    }
    return DECL_P(index) && source_.is_spread_once(index);
}

/// Of what tells of threads, with what is no constant. What may keep the number of a thread, or
/// give it, is compared with what all threads have in common.
Branch Conditions::compare_with_other(tree_code code,
                                      const Operand& operand,
                                      tree right,
                                      ContextId context) {
    if (operand.quantity == Quantity::ThreadNumber || operand.quantity == Quantity::ShiftedNumber)
        return compare_with_variable(code, operand.shift, right, context);
    Branch branch;
    if (operand.provided_global != 0) branch = compare_levels(code, operand, right, context);
    const bool is_equality = code == EQ_EXPR || code == NE_EXPR;
    const bool may_be_number =
        operand.wrapper != 0 && TREE_CODE(TREE_TYPE(right)) == INTEGER_TYPE &&
        (operand.quantity == Quantity::Wrapped || operand.quantity == Quantity::Provided);
    if (branch.says_anything() || !is_equality || !may_be_number) return branch;
    const Uniform same = uniform(right, context, kDepth);
    if (same == Uniform::No) return {};
    Implication& side = code == NE_EXPR ? branch.when_false : branch.when_true;
    side.condition = Condition::ThreadIsOther;
    if (same == Uniform::Changing) side.number = kChangingNumber;
    note_source(as_number(operand), branch);
    return branch;
}

/// The number of the thread plus or minus what all threads have in common, as in
/// `rank * threads + thread`: no two have the same.
Branch Conditions::compare_sum(tree_code code, tree left, tree right, ContextId context) {
    const Located* made = is_local_name(left) ? values_.only_definition(left) : nullptr;
    if (made == nullptr || !is_gimple_assign(made->statement) ||
        source_.thread_context(made->context) != source_.thread_context(context) ||
        source_.is_mixed_up(left, made->context, context))
        return {};
    const tree_code sum = gimple_assign_rhs_code(made->statement);
    if (is_copying(made->statement))
        return compare_sum(code, gimple_assign_rhs1(made->statement), right, made->context);
    if (sum != PLUS_EXPR && sum != MINUS_EXPR) return {};
    const tree first = gimple_assign_rhs1(made->statement);
    const tree second = gimple_assign_rhs2(made->statement);
    for (const bool is_swapped : {false, true}) {
        const Operand number = classify(is_swapped ? second : first, made->context, kDepth);
        const bool is_number =
            number.quantity == Quantity::ThreadNumber || number.quantity == Quantity::ShiftedNumber;
        if (!is_number || number.wrapper != 0) continue;
        const Uniform added = uniform(is_swapped ? first : second, made->context, kDepth);
        const Uniform other = uniform(right, context, kDepth);
        if (added == Uniform::No || other == Uniform::No) continue;
        Branch branch;
        Implication& side = code == NE_EXPR ? branch.when_false : branch.when_true;
        side.condition = Condition::ThreadIsOther;
        if (added == Uniform::Changing || other == Uniform::Changing) side.number = kChangingNumber;
        return branch;
    }
    return {};
}

/// One iteration of a worksharing loop.
Branch Conditions::compare_index(tree_code code, tree left, tree right, ContextId context) {
    if (!is_index_of_loop(left)) return compare_sum(code, left, right, context);
    if (uniform(right, context, kDepth) != Uniform::Always) return {};
    Branch branch;
    (code == NE_EXPR ? branch.when_false : branch.when_true).condition = Condition::ThreadIsOther;
    return branch;
}

/// Another member of what a parameter points to of which one is `tested`, and what is added to it
/// in `added`: `q->number == q->threads - 1`. Else Unknown.
Value Conditions::other_member(
    const Value& tested, std::int64_t taken, tree other, ContextId context, std::int64_t& added) {
    const Sum sum = without_constants(other);
    added = sum.added - taken;
    const Value member = number_in_parameter(values_, sum.term, context, false);
    const bool is_other = member.kind == Value::Kind::Parameter && member.name != tested.name &&
                          member.number == tested.number && added >= -kMostAdded &&
                          added <= kMostAdded;
    return is_other ? member : Value{};
}

/// What an argument of the function is compared with, if that may be one for all threads.
Branch Conditions::compare_with_shared(tree_code code, tree left, tree right, ContextId context) {
    for (const bool is_swapped : {false, true}) {
        const tree operand = is_swapped ? right : left;
        const tree other = is_swapped ? left : right;
        const Sum sum = without_constants(operand);
        Value tested = values_.of(sum.term, context);
        const bool is_whole = is_whole_parameter(tested);
        if (!is_whole) tested = number_in_parameter(values_, sum.term, context, false);
        if (tested.kind != Value::Kind::Parameter) continue;
        Implication side;
        side.condition = Condition::ArgumentIsShared;
        side.tested = tested;
        if (const auto variable = variable_in(other, context)) {
            side.limit = variable->first;
            side.number = variable->second - sum.added;
            if (side.number < -kMostAdded || side.number > kMostAdded) continue;
        } else if (!is_whole) {
            side.limit = other_member(tested, sum.added, other, context, side.number);
            if (side.limit.kind != Value::Kind::Parameter) continue;
        } else if (uniform(other, context, kDepth) != Uniform::Always) {
            side.limit = parameter_in(other, context, kDepth);
            const bool is_other =
                side.limit.kind == Value::Kind::Parameter && side.limit.number != tested.number;
            if (!is_other) continue;
            if (values_.of(without_constants(other).term, context) == side.limit)
                side.number = kEitherParameter;
        }
        Branch branch;
        (code == NE_EXPR ? branch.when_false : branch.when_true) = side;
        return branch;
    }
    return {};
}

Conditions::Sum Conditions::without_constants(tree operand) {
    Sum sum{.term = operand};
    for (int depth = 0; depth < kDepth && is_local_name(sum.term); ++depth) {
        const Located* definition = values_.only_definition(sum.term);
        if (definition == nullptr || !is_gimple_assign(definition->statement)) break;
        gimple* statement = definition->statement;
        const tree_code code = gimple_assign_rhs_code(statement);
        if (code == PLUS_EXPR || code == MINUS_EXPR) {
            const tree number = gimple_assign_rhs2(statement);
            if (!tree_fits_shwi_p(number)) break;
            sum.added += code == PLUS_EXPR ? tree_to_shwi(number) : -tree_to_shwi(number);
        } else if (!is_copying(statement)) {
            break;
        }
        sum.term = gimple_assign_rhs1(statement);
    }
    return sum;
}

/// The variable with static storage that a number is, and what is added to that. The function, or a
/// region of it that makes the team of `context`, does not write it.
std::optional<std::pair<Value, std::int64_t>> Conditions::variable_in(tree operand,
                                                                      ContextId context) {
    const Sum sum = without_constants(operand);
    const std::int64_t added = sum.added;
    operand = sum.term;
    if (!VAR_P(operand) || !is_global_var(operand) || DECL_THREAD_LOCAL_P(operand) ||
        !INTEGRAL_TYPE_P(TREE_TYPE(operand)) || added < -kMostAdded || added > kMostAdded)
        return std::nullopt;
    const bool has_team = source_.thread_context(context) != 0;
    const bool is_written = std::ranges::any_of(source_.number_writes, [&](const Located& write) {
        return gimple_get_lhs(write.statement) == operand &&
               (!has_team || source_.thread_context(write.context) != 0);
    });
    const Value variable = values_.of(operand, context);
    const bool is_counted = std::ranges::any_of(
        source_.atomics, [&](const auto& atomic) { return source_.target_of(atomic) == operand; });
    if (is_written || is_counted || variable.kind != Value::Kind::Global) return std::nullopt;
    return std::pair(variable, added);
}

/// The parameter that a number is, or is computed from with constants alone; else Unknown.
Value Conditions::parameter_in(tree operand, ContextId context, int depth) {
    const Value value = values_.of(operand, context);
    if (is_whole_parameter(value)) return value;
    if (depth <= 0 || --operands_left_ < 0 || !is_local_name(operand)) return {};
    const Located* definition = values_.only_definition(operand);
    if (definition == nullptr || !is_gimple_assign(definition->statement)) return {};
    gimple* statement = definition->statement;
    if (!is_copying(statement) && (gimple_assign_rhs2(statement) == NULL_TREE ||
                                   TREE_CODE(gimple_assign_rhs2(statement)) != INTEGER_CST))
        return {};
    return parameter_in(gimple_assign_rhs1(statement), definition->context, depth - 1);
}

/// Whether a call in the team gets the address of the variable and may write to it.
bool Conditions::may_call_write(const VariableUse& use, tree variable, ContextId team) {
    return std::ranges::any_of(use.handed_over, [&](const Located& at) {
        const tree callee = gimple_call_fndecl(at.statement);
        return source_.is_inside(at.context, team) &&
               (callee == NULL_TREE || !is_only_read(at.statement, callees_.of(callee), variable));
    });
}

/// The same for all threads of `context`: a parameter, or a variable set outside of it only.
bool Conditions::is_shared_constant(tree operand, ContextId context) {
    const ContextId team = source_.thread_context(context);
    if (team == 0 || !DECL_P(operand)) return false;
    const VariableUse* use = source_.use_of(operand);
    if (TREE_CODE(operand) == PARM_DECL && use == nullptr) return true;
    if (source_.is_private(operand, context)) return false;
    if (!VAR_P(operand) || is_global_var(operand) || use == nullptr || use->escapes) return false;
    const auto is_outside = [&](const Located& at) {
        return source_.thread_context(at.context) != team;
    };
    return std::ranges::all_of(use->definitions, is_outside) &&
           !may_call_write(*use, operand, team) &&
           !(use->definitions.empty() && use->handed_over.empty());
}

/// A number in an object that all threads of the region around `context` share, or that they have
/// one pointer to, which the region writes to nothing like it.
bool Conditions::is_part_of_shared(tree operand, ContextId context) {
    const ContextId team = source_.thread_context(context);
    const bool is_part = handled_component_p(operand) || TREE_CODE(operand) == MEM_REF;
    if (team == 0 || !is_part || !INTEGRAL_TYPE_P(TREE_TYPE(operand)) ||
        TREE_THIS_VOLATILE(operand))
        return false;
    const tree member = TREE_CODE(operand) == COMPONENT_REF ? TREE_OPERAND(operand, 1) : NULL_TREE;
    tree object = operand;
    for (; handled_component_p(object); object = TREE_OPERAND(object, 0)) {
        if (TREE_CODE(object) == ARRAY_REF && !values_.constant(TREE_OPERAND(object, 1)))
            return false;
    }
    const bool is_pointed_to = TREE_CODE(object) == MEM_REF;
    if (is_pointed_to) object = values_.copied_address(TREE_OPERAND(object, 0));
    if (!DECL_P(object)) return false;
    const bool is_one = is_global_var(object) ? !DECL_THREAD_LOCAL_P(object)
                        : is_pointed_to       ? is_common(object, context)
                                              : source_.is_shared(object, context);
    const auto is_like_it = [&](const Located& at) {
        const tree written = gimple_assign_lhs(at.statement);
        const bool is_same = member != NULL_TREE ? TREE_CODE(written) == COMPONENT_REF &&
                                                       TREE_OPERAND(written, 1) == member
                                                 : TREE_CODE(written) != COMPONENT_REF;
        return is_same && source_.is_inside(at.context, team);
    };
    const bool is_counted = std::ranges::any_of(source_.atomics, [&](const auto& atomic) {
        const tree target = source_.target_of(atomic);
        return target != NULL_TREE && TREE_CODE(target) == COMPONENT_REF &&
               TREE_OPERAND(target, 1) == member;
    });
    return is_one && !is_counted && std::ranges::none_of(source_.member_writes, is_like_it) &&
           std::ranges::none_of(source_.element_writes, is_like_it);
}

/// By calls that get its address: Fortran hands that over of every argument, to procedures of the
/// program that are taken to ask only.
bool Conditions::is_left_alone(const VariableUse& use) {
    return std::ranges::all_of(use.handed_over, [this](const Located& at) {
        const tree callee = gimple_call_fndecl(at.statement);
        return is_fortran() && callee != NULL_TREE && callees_.of(callee).kind == CalleeKind::Other;
    });
}

}  // namespace mqinspect::thread_level::plugin
