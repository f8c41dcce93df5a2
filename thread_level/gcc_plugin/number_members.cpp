// The thread number where a member of a class, or a variable of each thread, keeps it: Conditions,
// fourth part. What all of the unit writes to it is the number, or a constant. To ask it is taken
// for the call of a function by its name, until the unit is complete.
#include <algorithm>
#include <string>

#include "thread_level/facts/library_functions.h"
#include "thread_level/facts/values.h"
#include "thread_level/gcc_plugin/conditions.h"
#include "thread_level/gcc_plugin/thread_numbers.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// Whether other units may have the class, too, and the member may be the number of a thread, or
/// say whether that is 0.
bool is_shared(tree member) {
    const tree type = TREE_TYPE(member);
    const bool may_be_number = TREE_CODE(type) == INTEGER_TYPE &&
                               TYPE_PRECISION(type) == TYPE_PRECISION(integer_type_node);
    if ((!may_be_number && TREE_CODE(type) != BOOLEAN_TYPE) || DECL_NAME(member) == NULL_TREE ||
        name_of_type(DECL_CONTEXT(member)).empty())
        return false;
    if (is_fortran()) return true;
    const location_t place = DECL_SOURCE_LOCATION(member);
    const char* file = LOCATION_FILE(place);
    return file != nullptr && main_input_filename != nullptr && !in_system_header_at(place) &&
           std::string_view(file) != main_input_filename;
}

/// For the whole program, which may write the number of the thread to it elsewhere.
void note_shared_member(Gathering& gathering, tree member) {
    const auto [known, is_new] = gathering.shared_members.try_emplace(DECL_UID(member));
    if (is_new && is_shared(member)) known->second = gathering.intern(member_name(member));
}

/// A variable in a COMMON that each thread has for itself: the block and the place in it, as each
/// procedure gives it a name of its own; null: it is none.
tree own_block(tree reference) {
    const tree block = TREE_OPERAND(reference, 0);
    const bool is_own = is_fortran() && VAR_P(block) && DECL_THREAD_LOCAL_P(block);
    return is_own && name_of_type(TREE_TYPE(block)).empty() ? block : NULL_TREE;
}

Keeper keeper_of_own(Gathering& gathering, tree variable) {
    return {.declaration = DECL_UID(variable), .own_name = name_of_own(gathering, variable)};
}

/// Whether the member gets what another object of the class has there, as where that is copied.
bool is_of_other_object(Values& values, tree member, const gimple* write) {
    if (!is_copying(write)) return false;
    tree written = gimple_assign_rhs1(write);
    const Located* read = is_local_name(written) ? values.only_definition(written) : nullptr;
    if (read != nullptr && is_copying(read->statement))
        written = gimple_assign_rhs1(read->statement);
    return TREE_CODE(written) == COMPONENT_REF &&
           TREE_OPERAND(written, 1) == TREE_OPERAND(member, 1);
}

}  // namespace

Keeper keeper_of_member(Gathering& gathering, tree reference) {
    const tree member = TREE_OPERAND(reference, 1);
    const tree block = own_block(reference);
    if (block == NULL_TREE) {
        note_shared_member(gathering, member);
        return {.declaration = DECL_UID(member), .member = member};
    }
    const StringId name = gathering.intern(std::string(kOwnOfThread) +
                                           gathering.unit.strings[gathering.symbol(block)] + '+' +
                                           std::to_string(int_byte_position(member)));
    const unsigned first = gathering.own_places.try_emplace(name, DECL_UID(member)).first->second;
    gathering.shared_members[first] = name;
    return {.declaration = first, .own_name = name};
}

StringId name_of_own(Gathering& gathering, tree variable) {
    const StringId symbol = gathering.symbol(variable);
    if (!TREE_PUBLIC(variable) && !DECL_EXTERNAL(variable)) {
        return gathering.intern(std::string(kOwnOfThread) + main_input_filename + ':' +
                                gathering.unit.strings[symbol]);
    }
    StringId& name = gathering.shared_members[DECL_UID(variable)];
    if (name == 0)
        name = gathering.intern(std::string(kOwnOfThread) + gathering.unit.strings[symbol]);
    return name;
}

StringId Conditions::number_keeper(unsigned declaration, StringId name) {
    if (name != 0) gathering_.number_keepers.try_emplace(name, declaration);
    return name;
}

/// False: what is written is no argument of the function.
bool Conditions::note_kept_argument(const Keeper& keeper, const Located& write) {
    const tree written = gimple_assign_rhs1(write.statement);
    const bool is_own = keeper.own_name != 0;
    Value argument = values_.of(written, write.context);
    if (is_own && !is_whole_parameter(argument))
        argument = number_in_parameter(values_, written, write.context, true);
    const bool may_be = is_own ? INTEGRAL_TYPE_P(TREE_TYPE(written)) : is_whole_parameter(argument);
    if (argument.kind != Value::Kind::Parameter || !may_be) return false;
    const StringId name = is_own ? keeper.own_name : gathering_.intern(member_name(keeper.member));
    gathering_.kept_arguments.push_back({.function = current_function_decl,
                                         .keeper = keeper.declaration,
                                         .name = name,
                                         .value = argument,
                                         .write = write.statement,
                                         .is_own = is_own});
    return true;
}

/// Whether an argument of the function is 0, or false: `h%is_master = is_root .and. thread == 0`.
/// Of several that are, what the calls hand over tells which one it is.
bool Conditions::note_kept_test(const Keeper& keeper, const Located& write) {
    const tree written = gimple_assign_rhs1(write.statement);
    operands_left_ = kMostOperands;
    bool is_any = false;
    for (const Implication& yes : true_parts(written, write.context, kDepth)) {
        const bool is_test = yes.condition == Condition::ArgumentIs && yes.number == 0 &&
                             yes.limit.kind == Value::Kind::Unknown &&
                             is_whole_parameter(yes.tested);
        if (!is_test) continue;
        Value argument = yes.tested;
        argument.created_once = true;
        gathering_.kept_arguments.push_back({.function = current_function_decl,
                                             .keeper = keeper.declaration,
                                             .name = gathering_.intern(member_name(keeper.member)),
                                             .value = argument,
                                             .write = write.statement});
        is_any = true;
    }
    return is_any;
}

/// What is stored in an object of another function comes in a temporary. Else `written` itself.
tree Conditions::constant_copied(tree written) {
    const bool may_be = is_local_name(written) && DECL_P(written) && DECL_ARTIFICIAL(written);
    const Located* made = may_be ? values_.only_definition(written) : nullptr;
    return made != nullptr && is_constant(made->statement) ? gimple_assign_rhs1(made->statement)
                                                           : written;
}

void Conditions::note_number(const Keeper& keeper, const Located& write) {
    const bool is_copy = is_copying(write.statement);
    const tree written = constant_copied(gimple_assign_rhs1(write.statement));
    if (is_copy && TREE_CODE(written) == INTEGER_CST) {
        NumberUse& use = gathering_.number_uses[keeper.declaration];
        if (integer_zerop(written)) return;
        const Implication yes = known_where_set(keeper, write);
        if (yes.wrapper != 0) {
            gathering_.kept_flags.push_back({.keeper = keeper.declaration,
                                             .wrapper = yes.wrapper,
                                             .when_true = yes.condition,
                                             .is_constant = true});
            return;
        }
        (yes.condition == Condition::ThreadIsZero ? use.is_flag : use.is_yes) = true;
        return;
    }
    const bool is_pointed_to = keeper.own_name == 0 && keeper.member == NULL_TREE;
    if (is_copy && !is_pointed_to && note_kept_argument(keeper, write)) return;
    operands_left_ = kMostOperands;
    const bool may_be = is_copy && (source_.has_threads || is_pointed_to);
    const Operand operand = may_be ? classify(written, write.context, kDepth) : Operand{};
    const bool is_number =
        operand.quantity == Quantity::ThreadNumber || operand.quantity == Quantity::ShiftedNumber;
    if ((is_number || operand.wrapper != 0) && is_of_first_only(keeper, write)) return;
    NumberUse& use = gathering_.number_uses[keeper.declaration];
    const bool is_copied = operand.wrapper != 0 && TREE_CODE(TREE_TYPE(written)) == INTEGER_TYPE;
    if (is_copied) {
        const bool is_first = use.copy_of == 0;
        if (!is_first && (use.copy_of != operand.wrapper || use.copy_added != operand.shift))
            use.is_other = true;
        use.copy_of = operand.wrapper;
        use.copy_added = operand.shift;
        return;
    }
    operands_left_ = kMostOperands;
    const bool may_be_flag = is_copy && !is_number && INTEGRAL_TYPE_P(TREE_TYPE(written));
    const Branch said = may_be_flag ? of_boolean(written, write.context, kDepth) : Branch{};
    const bool is_partial = is_partial_flag(said);
    const Implication yes = is_partial ? said.when_true : both_ways(said);
    if (yes.wrapper != 0) {
        gathering_.kept_flags.push_back({.keeper = keeper.declaration,
                                         .wrapper = yes.wrapper,
                                         .when_true = yes.condition,
                                         .is_partial = is_partial});
        return;
    }
    const bool is_flag = yes.condition == Condition::ThreadIsZero;
    const bool may_be_test = may_be_flag && !is_flag && keeper.own_name == 0 && !is_pointed_to;
    if (may_be_test && note_kept_test(keeper, write)) return;
    use.is_partial = use.is_partial || is_partial;
    if (is_number && use.is_number && use.added != operand.shift) use.is_other = true;
    if (is_number) use.added = operand.shift;
    (is_number ? use.is_number : is_flag ? use.is_flag : use.is_other) = true;
}

/// Of a member that refers to a variable of the function, as what a lambda captures: what that is
/// set to, if it is set once.
void Conditions::note_referred(const Keeper& keeper, const Located& write) {
    const tree written = gimple_assign_rhs1(write.statement);
    const tree variable = TREE_CODE(written) == ADDR_EXPR ? TREE_OPERAND(written, 0) : NULL_TREE;
    const VariableUse* use =
        variable != NULL_TREE && VAR_P(variable) ? source_.use_of(variable) : nullptr;
    const bool is_set_once = use != nullptr && use->definitions.size() == 1 &&
                             source_.thread_context(use->definitions.front().context) ==
                                 source_.thread_context(write.context);
    if (!is_set_once) {
        gathering_.number_uses[keeper.declaration].is_other = true;
        return;
    }
    const Located set = use->definitions.front();
    if (is_gimple_assign(set.statement)) return note_number(keeper, set);
    operands_left_ = kMostOperands;
    const Operand operand = classify_definition(set, kDepth);
    NumberUse& number = gathering_.number_uses[keeper.declaration];
    if (operand.quantity == Quantity::ThreadNumber) {
        number.is_number = true;
    } else if (operand.wrapper != 0 && number.copy_of == 0) {
        number.copy_of = operand.wrapper;
        number.copy_added = operand.shift;
    } else {
        number.is_other = true;
    }
}

/// Whether nobody but thread 0 executes the write: others have what was there, as a rule also 0.
bool Conditions::is_of_first_only(const Keeper& keeper, const Located& write) {
    if (keeper.own_name == 0) return false;
    const bool is_serial =
        source_.thread_context(write.context) == 0 &&
        is_main_program(gathering_.unit.strings[gathering_.symbol(current_function_decl)]);
    return is_serial || source_.is_in_master(write.context);
}

/// All threads get what thread 0 has, unless they write something else to it.
void Conditions::note_copied_in() {
    for (ContextId id = 1; id < source_.contexts.size(); ++id) {
        gimple* const construct = source_.contexts[id].construct;
        if (construct == nullptr || gimple_code(construct) != GIMPLE_OMP_PARALLEL) continue;
        for (tree clause = gimple_omp_parallel_clauses(construct); clause != NULL_TREE;
             clause = OMP_CLAUSE_CHAIN(clause)) {
            if (OMP_CLAUSE_CODE(clause) != OMP_CLAUSE_COPYIN) continue;
            const tree variable = OMP_CLAUSE_DECL(clause);
            const bool is_written = std::ranges::any_of(source_.own_writes, [&](const Located& at) {
                return source_.own_variable(gimple_assign_lhs(at.statement)) == variable &&
                       source_.thread_context(at.context) == id;
            });
            if (!VAR_P(variable) || is_written) continue;
            name_of_own(gathering_, variable);
            gathering_.number_uses[DECL_UID(variable)].is_other = true;
        }
    }
}

/// Whether the function writes something else to the same member of the same object behind it.
bool Conditions::is_overwritten(const Located& write) const {
    return std::ranges::any_of(source_.member_writes, [&write](const Located& other) {
        return other.statement != write.statement && other.context == write.context &&
               operand_equal_p(
                   gimple_assign_lhs(other.statement), gimple_assign_lhs(write.statement), 0) &&
               leads_on(write.statement, other.statement);
    });
}

void Conditions::note_numbers() {
    note_copied_in();
    find_flags_by_branch();
    for (const Located& at : source_.member_writes) {
        const tree member = gimple_assign_lhs(at.statement);
        const Keeper keeper = keeper_of_member(gathering_, member);
        if (is_of_other_object(values_, member, at.statement) || is_overwritten(at)) continue;
        const StringId name = provided_field(member, gathering_).name;
        const bool may_be_flag =
            name != 0 && keeper.own_name == 0 && gimple_assign_single_p(at.statement);
        if (TREE_CODE(TREE_TYPE(member)) == REFERENCE_TYPE) {
            note_referred(keeper, at);
            continue;
        }
        if (may_be_flag &&
            note_level_flag(name, constant_copied(gimple_assign_rhs1(at.statement)), at))
            continue;
        note_number(keeper, at);
    }
    for (const Located& at : source_.own_writes) {
        const tree own = source_.own_variable(gimple_assign_lhs(at.statement));
        note_number(keeper_of_own(gathering_, own), at);
    }
    for (const Located& at : source_.answers)
        note_answer(at);
}

/// What is written to where a parameter points to. Who hands that on, too, may have it written to
/// by others.
void Conditions::note_answer(const Located& write) {
    const tree parameter = TREE_OPERAND(gimple_assign_lhs(write.statement), 0);
    note_number({.declaration = DECL_UID(parameter)}, write);
    const auto hands_on = [parameter](const Located& at) {
        for (unsigned i = 0; i < gimple_call_num_args(at.statement); ++i)
            if (strip(gimple_call_arg(at.statement, i)) == parameter) return true;
        return false;
    };
    const auto copies = [parameter](const Located& at) {
        return strip(gimple_assign_rhs1(at.statement)) == parameter;
    };
    if (std::ranges::any_of(source_.any_calls, hands_on) ||
        std::ranges::any_of(source_.assignments, copies))
        gathering_.number_uses[DECL_UID(parameter)].is_other = true;
}

/// A variable that one call gets by reference, in Fortran the first one, of a function of the unit
/// that may write the number of the thread to it.
Conditions::Operand Conditions::classify_asked(const VariableUse& use,
                                               tree variable,
                                               ContextId context) {
    const auto is_known = [](const Located& at) { return is_constant(at.statement); };
    if (!std::ranges::all_of(use.definitions, is_known)) return {};
    const Located* asks = nullptr;
    for (const Located& at : use.handed_over) {
        const tree function = gimple_call_fndecl(at.statement);
        if (function == NULL_TREE) return {};
        const Callee& callee = callees_.of(function);
        if (is_only_read(at.statement, callee, variable)) continue;
        // What Fortran hands on is left alone there.
        if (is_fortran() && asks != nullptr) continue;
        if (callee.kind != CalleeKind::Other || asks != nullptr) return {};
        asks = &at;
    }
    if (asks == nullptr || source_.thread_context(asks->context) != source_.thread_context(context))
        return {};
    Operand operand;
    const bool is_elsewhere = DECL_EXTERNAL(gimple_call_fndecl(asks->statement));
    // What has a value by then may be handed over for that.
    if (is_elsewhere && !use.definitions.empty()) return {};
    operand.wrapper = answer_asked(*asks, variable);
    if (operand.wrapper != 0) operand.quantity = Quantity::Wrapped;
    return operand;
}

/// What the call writes to `variable`, whose address it gets; 0: that does not matter. What other
/// units may write there does where a team asks for it.
StringId Conditions::answer_asked(const Located& call, tree variable) {
    const tree function = gimple_call_fndecl(call.statement);
    if (DECL_EXTERNAL(function) && source_.thread_context(call.context) == 0) return 0;
    tree parameter = DECL_ARGUMENTS(function);
    for (unsigned i = 0; i < gimple_call_num_args(call.statement); ++i) {
        const tree argument = gimple_call_arg(call.statement, i);
        if (TREE_CODE(argument) == ADDR_EXPR && TREE_OPERAND(argument, 0) == variable) {
            const StringId name = gathering_.intern(
                name_of_answer(gathering_.unit.strings[gathering_.symbol(function)], i));
            if (DECL_EXTERNAL(function)) return name;
            return parameter == NULL_TREE ? 0 : number_keeper(DECL_UID(parameter), name);
        }
        if (parameter != NULL_TREE) parameter = DECL_CHAIN(parameter);
    }
    return 0;
}

/// What Fortran's `associate` gives another name; null: it is none.
tree Conditions::associated_variable(tree operand) {
    const bool is_target =
        TREE_CODE(operand) == INDIRECT_REF ||
        (TREE_CODE(operand) == MEM_REF && integer_zerop(TREE_OPERAND(operand, 1)));
    const tree name = is_fortran() && is_target ? TREE_OPERAND(operand, 0) : NULL_TREE;
    if (name == NULL_TREE || !is_local_name(name)) return NULL_TREE;
    const Located* definition = values_.only_definition(name);
    if (definition == nullptr || !gimple_assign_single_p(definition->statement)) return NULL_TREE;
    const tree address = gimple_assign_rhs1(definition->statement);
    const tree variable = TREE_CODE(address) == ADDR_EXPR ? TREE_OPERAND(address, 0) : NULL_TREE;
    return variable != NULL_TREE && is_local_name(variable) ? variable : NULL_TREE;
}

}  // namespace mqinspect::thread_level::plugin
