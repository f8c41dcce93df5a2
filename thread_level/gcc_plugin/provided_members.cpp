// The thread level that MPI provides, where a member of a class keeps it, or a function returns it:
// Conditions, third part.
#include "thread_level/gcc_plugin/conditions.h"
#include "thread_level/gcc_plugin/prepared.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// Of one and the same element of a static array, whichever thread asks: it has the number of
/// another thread.
bool is_of_one_element(tree reference) {
    const tree variable = base_variable(reference);
    if (variable == NULL_TREE || !VAR_P(variable) || !is_global_var(variable) ||
        DECL_THREAD_LOCAL_P(variable))
        return false;
    for (; handled_component_p(reference); reference = TREE_OPERAND(reference, 0)) {
        if (TREE_CODE(reference) == ARRAY_REF &&
            TREE_CODE(TREE_OPERAND(reference, 1)) == INTEGER_CST)
            return true;
    }
    return false;
}

}  // namespace

/// Which members have a level, only the whole unit tells.
Conditions::Operand Conditions::classify_member(tree reference) {
    const tree target = referred_type(reference);
    if (!is_number_or_flag(target)) return {};
    const tree result = TREE_TYPE(TREE_TYPE(current_function_decl));
    const bool may_return_it = INTEGRAL_TYPE_P(result);
    if (!source_.has_mpi && !source_.has_threads && !source_.has_plain_calls && !may_return_it)
        return {};
    const ProvidedField& field = provided_field(reference, gathering_);
    Operand level;
    if (field.name == 0) return level;
    level.quantity = Quantity::Provided;
    level.provided_global = DECL_UID(TREE_OPERAND(reference, 1));
    level.global.kind = Value::Kind::Global;
    level.global.name = field.name;
    if (is_of_one_element(reference)) return TREE_CODE(target) == BOOLEAN_TYPE ? Operand{} : level;
    const Keeper keeper = keeper_of_member(gathering_, reference);
    level.wrapper =
        number_keeper(keeper.declaration, keeper.own_name != 0 ? keeper.own_name : field.name);
    // No level is true or false.
    return TREE_CODE(target) == BOOLEAN_TYPE ? as_number(level) : level;
}

/// Of what a member refers to that is a reference.
Conditions::Operand Conditions::classify_referred(tree reference) {
    const tree pointer = TREE_OPERAND(reference, 0);
    const Located* loaded = integer_zerop(TREE_OPERAND(reference, 1)) && is_local_name(pointer)
                                ? values_.only_definition(pointer)
                                : nullptr;
    if (loaded == nullptr || !gimple_assign_single_p(loaded->statement)) return {};
    const tree member = gimple_assign_rhs1(loaded->statement);
    const bool is_reference =
        TREE_CODE(member) == COMPONENT_REF && TREE_CODE(TREE_TYPE(member)) == REFERENCE_TYPE;
    return is_reference ? classify_member(member) : Operand{};
}

/// What a function returns that is not known to tell of threads. Callers may come before it.
Conditions::Operand Conditions::classify_result(tree function) {
    if (TREE_CODE(TREE_TYPE(TREE_TYPE(function))) != INTEGER_TYPE) return {};
    if (!source_.has_mpi && !source_.has_threads && !source_.has_plain_calls) return {};
    const unsigned uid = DECL_UID(function);
    gathering_.provided_fields.try_emplace(uid);
    Operand level;
    level.quantity = Quantity::Provided;
    level.provided_global = uid;
    level.is_result = true;
    return level;
}

/// A level is stored in a member, or returned by a function.
void Conditions::note_level_at(unsigned declaration, const Operand& level) {
    ProvidedField& there = gathering_.provided_fields[declaration];
    if (level.provided_global == 0) {
        there.is_level = true;
    } else {
        gathering_.provided_copies.push_back({level.provided_global, declaration});
    }
}

/// What may be a level, of what a variable or member gets from a local variable.
std::optional<Conditions::Operand> Conditions::copied_level(const Located& at) {
    const tree copied =
        gimple_assign_single_p(at.statement) ? gimple_assign_rhs1(at.statement) : NULL_TREE;
    if (copied == NULL_TREE || !is_local_name(copied)) return std::nullopt;
    operands_left_ = kMostOperands;
    const Operand operand = classify(copied, at.context, kDepth);
    return operand.quantity == Quantity::Provided ? std::optional(operand) : std::nullopt;
}

void Conditions::note_copied_levels() {
    for (const Located& at : source_.member_writes) {
        const auto level = copied_level(at);
        if (!level) continue;
        const tree member = gimple_assign_lhs(at.statement);
        provided_field(member, gathering_);
        note_level_at(DECL_UID(TREE_OPERAND(member, 1)), *level);
    }
    for (const Located& at : source_.number_writes) {
        const auto level = copied_level(at);
        const tree variable = gimple_get_lhs(at.statement);
        if (level && level->wrapper == 0 && VAR_P(variable))
            note_level_at(DECL_UID(variable), *level);
    }
}

/// Null: it is none. That of a member comes in a temporary.
tree Preparation::address_in(tree argument) {
    if (argument != NULL_TREE) argument = values_.copied_address(argument);
    return argument != NULL_TREE && TREE_CODE(argument) == ADDR_EXPR ? argument : NULL_TREE;
}

/// Of where MPI is to store the thread level, if it is asked for it.
void Preparation::note_holder_of_level(tree address) {
    address = address_in(address);
    if (address == NULL_TREE) return;
    const tree object = TREE_OPERAND(address, 0);
    if (TREE_CODE(object) == COMPONENT_REF) provided_field(object, gathering_).is_level = true;
    const tree variable = base_variable(object);
    if (variable != NULL_TREE && VAR_P(variable) && is_global_var(variable))
        gathering_.global(variable).holds_provided = true;
}

void Preparation::note_provided(Step& step, const LocatedCall& at, tree address) {
    // MPI wants an address, and nothing comes back without.
    if (address != NULL_TREE && integer_zerop(address)) return;
    const tree variable = address != NULL_TREE && TREE_CODE(address) == ADDR_EXPR
                              ? base_variable(TREE_OPERAND(address, 0))
                              : NULL_TREE;
    const bool is_whole = variable != NULL_TREE && TREE_OPERAND(address, 0) == variable;
    if (!is_whole || !VAR_P(variable)) {
        step.mpi.tests_provided = true;  // whoever gets the pointer, or the object
        return;
    }
    if (is_global_var(variable)) {
        provided_in.emplace(at.call, DECL_UID(variable));
        return;
    }
    step.mpi.tests_provided = is_tested(variable);
}

}  // namespace mqinspect::thread_level::plugin
