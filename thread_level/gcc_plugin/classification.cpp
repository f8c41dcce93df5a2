// What the operands of a condition are: Conditions, second part.
#include <algorithm>

#include "thread_level/gcc_plugin/conditions.h"
#include "thread_level/gcc_plugin/counts.h"
#include "thread_level/gcc_plugin/main_identity.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// Whether the function may return the number of the thread that calls it: of those with arguments
/// only what the unit itself has, or too many would be asked for.
bool may_wrap(const gimple* call) {
    return gimple_call_num_args(call) == 0 || is_defined(gimple_call_fndecl(call));
}

}  // namespace

bool is_constant(gimple* definition) {
    return gimple_assign_single_p(definition) &&
           TREE_CODE(gimple_assign_rhs1(definition)) == INTEGER_CST;
}

Conditions::Operand Conditions::classify(tree operand, ContextId context, int depth) {
    if (depth <= 0 || --operands_left_ < 0 || operand == NULL_TREE) return {};
    if (CONVERT_EXPR_P(operand)) return classify(TREE_OPERAND(operand, 0), context, depth - 1);
    if (is_local_name(operand)) return classify_variable(operand, context, depth - 1);
    if (TREE_CODE(operand) == COMPONENT_REF) return classify_member(operand);
    if (const tree associated = associated_variable(operand); associated != NULL_TREE)
        return classify_variable(associated, context, depth - 1);
    const tree own = source_.own_variable(operand);
    if (own != NULL_TREE) operand = own;
    if (TREE_CODE(operand) == MEM_REF) return classify_referred(operand);
    if (!VAR_P(operand)) return {};
    const bool is_own = own != NULL_TREE;
    if (is_own && TREE_CODE(TREE_TYPE(operand)) == BOOLEAN_TYPE) {
        Operand flag;
        flag.quantity = Quantity::Wrapped;
        flag.wrapper = number_keeper(DECL_UID(operand), name_of_own(gathering_, operand));
        return flag;
    }
    const bool may_be_flag =
        TREE_CODE(TREE_TYPE(operand)) == BOOLEAN_TYPE && is_global_var(operand);
    if (TREE_CODE(TREE_TYPE(operand)) != INTEGER_TYPE && !may_be_flag) return {};
    Operand level;
    level.quantity = Quantity::Provided;
    level.provided_global = DECL_UID(operand);
    level.global = values_.of(operand, context);
    if (is_own) level.wrapper = number_keeper(DECL_UID(operand), name_of_own(gathering_, operand));
    gathering_.global(operand).is_compared = true;
    return level;
}

Conditions::Operand Conditions::classify_variable(tree variable, ContextId context, int depth) {
    const VariableUse* all = source_.use_of(variable);
    if (all == nullptr || all->escapes) return {};
    const VariableUse use = source_.narrowed(*all, variable, context);
    // Who is handed the number of a thread, as Fortran does with every argument, leaves it alone.
    if (!use.handed_over.empty() && !is_thread_number_only(use, depth)) {
        const Operand asked = classify_asked(use, variable, context);
        if (asked.quantity != Quantity::None || use.definitions.size() > 1) return asked;
        return classify_handed_over(use, variable, context);
    }
    Operand common;
    bool is_first = true;
    bool has_constant = false;
    bool is_one = true;  // each such
    for (const Located& definition : use.definitions) {
        // A number that has been there before is the first thread's, or none, or that of threads.
        if (use.definitions.size() > 1 && is_constant(definition.statement)) {
            if (is_reset(use, definition)) return {};
            has_constant = true;
            is_one = is_one && integer_onep(gimple_assign_rhs1(definition.statement)) != 0;
            continue;
        }
        if (raised_by(definition.statement, use) != nullptr) continue;
        const bool is_mixed = source_.is_mixed_up(variable, definition.context, context);
        Operand one = raised(classify_definition(definition, depth), definition, use);
        if (one.quantity == Quantity::None) return {};  // whatever the others are
        const bool is_of_other_team =
            source_.thread_context(definition.context) != source_.thread_context(context);
        // What a team has told in front is how many threads the next one has.
        if (one.quantity == Quantity::TeamSize && is_of_other_team)
            one.quantity = Quantity::MaxThreads;
        if (is_mixed && is_of_thread(one.quantity)) return {};
        if (!is_first &&
            (one.quantity != common.quantity || one.wrapper != common.wrapper ||
             one.shift != common.shift || one.provided_global != common.provided_global ||
             (one.quantity == Quantity::Processes && one.global != common.global)))
            return {};
        // A level is the same for all threads; a thread's number is of one team.
        if (one.quantity != Quantity::Provided && one.quantity != Quantity::MaxThreads &&
            one.quantity != Quantity::Processes && is_of_other_team)
            return {};
        common = one;
        is_first = false;
    }
    const bool may_be_set =
        common.quantity == Quantity::ThreadNumber || common.quantity == Quantity::Wrapped ||
        ((common.quantity == Quantity::MaxThreads || common.quantity == Quantity::TeamSize) &&
         is_one) ||
        (common.quantity == Quantity::ShiftedNumber && begins_with_constants(use));
    return has_constant && !may_be_set ? Operand{} : common;
}

Conditions::Operand Conditions::classify_definition(const Located& definition, int depth) {
    gimple* statement = definition.statement;
    if (is_gimple_call(statement)) return classify_call(statement, definition.context, depth);
    if (gimple_code(statement) == GIMPLE_OMP_ATOMIC_LOAD) return classify_atomic(statement);
    if (!is_gimple_assign(statement)) return {};
    if (!is_copying(statement)) return classify_shifted(statement, definition.context, depth);
    const Operand count = classify_guarded(definition);
    if (count.quantity != Quantity::None) return count;
    const Operand copied = classify(gimple_assign_rhs1(statement), definition.context, depth - 1);
    return copied.quantity == Quantity::None ? classify_equal(definition, depth - 1) : copied;
}

bool Conditions::is_thread_number_only(const VariableUse& use, int depth) {
    const auto is_number = [&](const Located& at) {
        const Operand number = classify_definition(at, depth);
        return number.quantity == Quantity::ThreadNumber ||
               number.quantity == Quantity::ShiftedNumber || is_of_each_thread(number.wrapper);
    };
    return std::any_of(use.definitions.begin(), use.definitions.end(), is_number) &&
           std::all_of(use.definitions.begin(), use.definitions.end(), [&](const Located& at) {
               return is_constant(at.statement) || raised_by(at.statement, use) != nullptr ||
                      is_number(at);
           });
}

/// A level or flag that MPI stores in a local variable. Whether a thread is the main one, only that
/// thread may ask there.
Conditions::Operand Conditions::classify_handed_over(const VariableUse& use,
                                                     tree variable,
                                                     ContextId context) {
    Operand operand;
    Value communicator;
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
        } else if (is_here(callee.mpi->main_flag) || is_here(callee.mpi->initialized_flag)) {
            quantity =
                is_here(callee.mpi->main_flag) ? Quantity::MainFlag : Quantity::InitializedFlag;
            if (source_.thread_context(at.context) != source_.thread_context(context) ||
                source_.is_mixed_up(variable, at.context, context))
                return {};
        } else if (callee.mpi->name == "MPI_Comm_size" && is_here(1)) {
            quantity = Quantity::Processes;
            communicator = values_.of(gimple_call_arg(at.statement, 0), at.context);
            const bool is_other =
                operand.quantity != Quantity::None && communicator != operand.global;
            if (!is_whole_parameter(communicator) || is_other) return {};
        } else {
            return {};
        }
        if (operand.quantity != Quantity::None && operand.quantity != quantity) return {};
        operand.quantity = quantity;
        operand.global = communicator;
    }
    return operand;
}

/// Whether all threads of the team hand over the same, but for the argument at `position`.
bool Conditions::are_others_same(gimple* call, unsigned position, ContextId context) {
    for (unsigned i = 0; i < gimple_call_num_args(call); ++i) {
        const tree argument = gimple_call_arg(call, i);
        if (i != position && uniform(argument, context, kDepth) != Uniform::Always) return false;
    }
    return true;
}

/// Which argument is the number of the thread; Unknown: none. With `is_shared` the others are the
/// same for all threads of the team.
Value Conditions::number_handed(gimple* call, ContextId context, int depth) {
    Value handed;
    if (!source_.has_threads) return handed;
    for (unsigned i = 0; i < gimple_call_num_args(call); ++i) {
        tree argument = gimple_call_arg(call, i);
        if (TREE_CODE(argument) == ADDR_EXPR && is_fortran()) argument = TREE_OPERAND(argument, 0);
        const Operand operand = classify(argument, context, depth);
        if (operand.quantity != Quantity::ThreadNumber || operand.shift != 0) continue;
        handed.kind = Value::Kind::ThreadNumber;
        handed.number = i;
        break;
    }
    if (handed.kind == Value::Kind::ThreadNumber)
        handed.is_shared = are_others_same(call, static_cast<unsigned>(handed.number), context);
    return handed;
}

/// Whether two identities are of one thread: the caller, and what may be the main thread. Which it
/// is, only the whole unit tells.
Conditions::Operand Conditions::classify_identities(tree left, tree right) {
    const NamedThread first = named_thread(left, callees_, values_);
    const NamedThread second = named_thread(right, callees_, values_);
    Operand operand;
    if (first.is_caller == second.is_caller) return operand;
    operand.provided_global = first.is_caller ? second.keeper : first.keeper;
    if (operand.provided_global != 0) operand.quantity = Quantity::MainFlag;
    return operand;
}

Conditions::Operand Conditions::classify_call(gimple* call, ContextId context, int depth) {
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
        case CalleeKind::StaticGuard:
            operand.quantity = Quantity::StaticGuard;
            break;
        case CalleeKind::BarrierWait:
            operand.quantity = Quantity::SerialThread;
            break;
        case CalleeKind::Count:
            operand.quantity = counts_down(call) ? Quantity::CountedDown : Quantity::CountedUp;
            break;
        case CalleeKind::Harmless:
            if (callee.identity != Identity::Same && callee.identity != Identity::Different) break;
            operand = classify_identities(gimple_call_arg(call, 0), gimple_call_arg(call, 1));
            if (operand.quantity != Quantity::None && callee.identity == Identity::Different)
                operand.quantity = Quantity::NotMainFlag;
            break;
        case CalleeKind::Other:
            operand = classify_result(declaration);
            if (!may_wrap(call)) break;
            operand.wrapper = callee.symbol;
            if (operand.quantity == Quantity::None) operand.quantity = Quantity::Wrapped;
            operand.global = number_handed(call, context, depth - 1);
            break;
        default:
            break;
    }
    return operand;
}

/// Of what may be a level or a number: a number.
Conditions::Operand Conditions::as_number(const Operand& operand) {
    Operand number;
    number.quantity = Quantity::Wrapped;
    number.wrapper = operand.wrapper;
    if (operand.global.kind == Value::Kind::ThreadNumber) number.global = operand.global;
    return number;
}

/// From where what was compared came.
void Conditions::note_source(const Operand& operand, Branch& branch) {
    for (Implication* side : {&branch.when_true, &branch.when_false}) {
        if (side->condition == Condition::None) continue;
        side->wrapper = operand.quantity == Quantity::Provided ? 0 : operand.wrapper;
        side->provided_global = operand.provided_global;
        side->tested = operand.global;
    }
}

}  // namespace mqinspect::thread_level::plugin
