// What each thread, or each iteration, hands to a call that is its own: Preparation, fourth part.
#include <algorithm>

#include "thread_level/gcc_plugin/prepared.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kMostPartNumbers = 12;  // of numbers that are made of others

/// Whether the result differs where one of the operands does, as a rule.
bool keeps_difference(tree_code code) {
    switch (code) {
        case PLUS_EXPR:
        case MINUS_EXPR:
        case MULT_EXPR:
        case LSHIFT_EXPR:
        case POINTER_PLUS_EXPR:
        case TRUNC_MOD_EXPR:
        case FLOOR_MOD_EXPR:
            return true;
        default:
            return false;
    }
}

Value own(Value::Kind kind, std::int64_t number) {
    Value value;
    value.kind = kind;
    value.number = number;
    return value;
}

}  // namespace

/// An element whose index is another one each time, or a parameter that may be such.
Value Preparation::own_argument(const LocatedCall& at) {
    Value handed;
    for (unsigned i = 0; i < gimple_call_num_args(at.call); ++i) {
        const tree argument = gimple_call_arg(at.call, i);
        if (!POINTER_TYPE_P(TREE_TYPE(argument))) continue;
        const Value value = values_.of(argument, at.context);
        if (value.kind == Value::Kind::Element && value.number != 0) return value;
        Value part = own_part(argument, at.context);
        if (part.kind == Value::Kind::Parameter) handed = part;
        if (part.kind != Value::Kind::Element) continue;
        if (value.kind == Value::Kind::Element) part.name = value.name;
        return part;
    }
    tree root = argument_of(at.call, at.callee->mpi->peer);
    if (root == NULL_TREE) return handed;
    if (is_fortran() && TREE_CODE(root) == ADDR_EXPR) root = TREE_OPERAND(root, 0);
    const Value number = own_part(root, at.context);
    return number.kind == Value::Kind::Unknown ? handed : number;
}

Value Preparation::own_part(tree operand, ContextId context) {
    own_followed_.clear();
    return own_part(operand, context, kMostPartNumbers);
}

/// Element, with no name: the operand is, or points to, what a number says that is another one for
/// each thread or iteration. Parameter: that depends on what the function is handed.
Value Preparation::own_part(tree operand, ContextId context, int depth) {
    if (operand == NULL_TREE || depth <= 0) return {};
    operand = strip(operand);
    if (TREE_CODE(operand) == PARM_DECL) {
        const VariableUse* use = source_.use_of(operand);
        const int position = parameter_position(operand);
        const bool is_kept = use == nullptr || use->definitions.empty();
        return position >= 0 && is_kept ? own(Value::Kind::Parameter, position) : Value{};
    }
    if (is_local_name(operand)) return own_number(operand, context, depth - 1);
    tree part = TREE_CODE(operand) == ADDR_EXPR ? TREE_OPERAND(operand, 0) : operand;
    const bool is_address = part != operand;
    for (; handled_component_p(part); part = TREE_OPERAND(part, 0)) {
        if (TREE_CODE(part) != ARRAY_REF || !is_address) continue;
        const Value index = own_part(TREE_OPERAND(part, 1), context, depth - 1);
        if (index.kind != Value::Kind::Unknown) return index;
    }
    return TREE_CODE(part) == MEM_REF ? own_part(TREE_OPERAND(part, 0), context, depth - 1)
                                      : Value{};
}

Value Preparation::own_number(tree number, ContextId context, int depth) {
    if (conditions_.thread_number(number, context)) return own(Value::Kind::Element, kFromThread);
    if (source_.is_loop_index(number)) return own(Value::Kind::Element, kCounted);
    const bool is_counter =
        std::find(own_followed_.begin(), own_followed_.end(), number) != own_followed_.end();
    if (is_counter) return own(Value::Kind::Element, kCounted);
    own_followed_.push_back(number);
    const VariableUse* found = source_.use_of(number);
    if (found == nullptr || found->escapes) return {};
    if (TREE_CODE(number) != SSA_NAME && source_.is_shared(number, context)) return {};
    // A task has the number that there was as it was made.
    const gimple* team = source_.contexts[source_.thread_context(context)].construct;
    const bool is_captured = team != nullptr && gimple_code(team) == GIMPLE_OMP_TASK;
    const VariableUse use = is_captured ? *found : source_.narrowed(*found, number, context);
    for (const Located& at : use.definitions) {
        if (!is_gimple_assign(at.statement)) continue;
        const bool is_copy = is_copying(at.statement);
        if (!is_copy && !keeps_difference(gimple_assign_rhs_code(at.statement))) continue;
        for (unsigned i = 1; i < gimple_num_ops(at.statement); ++i) {
            const Value part = own_part(gimple_op(at.statement, i), context, depth - 1);
            if (part.kind != Value::Kind::Unknown) return part;
        }
    }
    return {};
}

}  // namespace mqinspect::thread_level::plugin
