// What calls hand to functions of the program: Preparation, further part.
#include <algorithm>
#include <string>

#include "thread_level/facts/values.h"
#include "thread_level/gcc_plugin/callables.h"
#include "thread_level/gcc_plugin/captured_objects.h"
#include "thread_level/gcc_plugin/pointed_members.h"
#include "thread_level/gcc_plugin/pointed_procedures.h"
#include "thread_level/gcc_plugin/prepared.h"
#include "thread_level/gcc_plugin/thread_numbers.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// Whether an argument is, or points to, a handle, a lock or a number, or an array of handles.
bool is_handle(tree argument) {
    const tree object = TREE_CODE(argument) == ADDR_EXPR ? TREE_OPERAND(argument, 0) : argument;
    const tree type = TREE_TYPE(object);
    // Fortran's handles are plain integers.
    return is_handle_type(type) || is_array_of_handles(type) || TREE_CODE(type) == INTEGER_TYPE;
}

/// Whether it is, in a lambda, a pointer or reference to an object of a class.
bool is_captured_pointer(tree argument) {
    const tree type = TREE_TYPE(argument);
    return POINTER_TYPE_P(type) && RECORD_OR_UNION_TYPE_P(TREE_TYPE(type)) &&
           is_closure(DECL_ARGUMENTS(current_function_decl));
}

/// What a call hands over, or, by reference or pointer, what that is of: a number that the callee
/// can't write to.
tree handed_number(const gcall* call, unsigned position) {
    const tree argument = gimple_call_arg(call, position);
    if (TREE_CODE(argument) != ADDR_EXPR || is_fortran()) return argument;
    const tree number = TREE_OPERAND(argument, 0);
    if (!is_local_name(number) || !INTEGRAL_TYPE_P(TREE_TYPE(number))) return argument;
    tree type = TYPE_ARG_TYPES(gimple_call_fntype(call));
    for (; type != NULL_TREE && position > 0; --position)
        type = TREE_CHAIN(type);
    const bool is_reference = type != NULL_TREE && POINTER_TYPE_P(TREE_VALUE(type));
    return is_reference && TYPE_READONLY(TREE_TYPE(TREE_VALUE(type))) ? number : argument;
}

/// What is true or false, or Fortran's reference to such, as it was before C has made an integer of
/// it; null: it is something else, or the function has no arguments.
tree flag_in(Values& values, tree argument) {
    if (DECL_ARGUMENTS(current_function_decl) == NULL_TREE) return NULL_TREE;
    tree type = TREE_TYPE(argument);
    if (is_fortran() && POINTER_TYPE_P(type)) type = TREE_TYPE(type);
    if (TREE_CODE(type) == BOOLEAN_TYPE) return argument;
    if (is_fortran() || !is_local_name(argument) || !INTEGRAL_TYPE_P(type)) return NULL_TREE;
    const Located* made = values.only_definition(argument);
    if (made == nullptr || !is_copying(made->statement)) return NULL_TREE;
    const tree flag = gimple_assign_rhs1(made->statement);
    return TREE_CODE(TREE_TYPE(flag)) == BOOLEAN_TYPE ? flag : NULL_TREE;
}

/// Whether nothing but assignments and calls comes in between.
bool is_right_behind(const gimple* call, const gimple* first) {
    constexpr int most_between = 32;
    for (int i = 0; i < most_between && first != nullptr; ++i, first = first->next) {
        if (first == call) return true;
        const bool is_plain = is_gimple_assign(first) || is_gimple_call(first);
        if (!is_plain && !is_gimple_debug(first)) return false;
    }
    return false;
}

/// Of a number that Fortran copies of a parameter for one call only (`me = id; call work(me)`):
/// that parameter, as the callee gets it before it may write to the copy. Else Unknown.
Value copied_parameter(Values& values, SourceWalk& source, tree argument, const LocatedCall& at) {
    if (!is_fortran() || TREE_CODE(argument) != ADDR_EXPR) return {};
    const tree copy = TREE_OPERAND(argument, 0);
    const bool is_number = is_local_name(copy) && TREE_CODE(TREE_TYPE(copy)) == INTEGER_TYPE;
    const VariableUse* use = is_number ? source.use_of(copy) : nullptr;
    if (use == nullptr || use->escapes || use->definitions.size() != 1 ||
        use->handed_over.size() != 1 || use->handed_over.front().statement != at.call)
        return {};
    const Located written = use->definitions.front();
    if (written.context != at.context || !is_gimple_assign(written.statement) ||
        !is_copying(written.statement) || !is_right_behind(at.call, written.statement))
        return {};
    const Value value = values.of(gimple_assign_rhs1(written.statement), written.context);
    return is_whole_parameter(value) ? value : Value{};
}

/// Whether it calls a lambda that refers to one object.
bool calls_with_object(const gcall* call) {
    const tree callee = gimple_call_fndecl(call);
    return callee != NULL_TREE && is_call_operator(callee) &&
           only_object_in(DECL_CONTEXT(callee)) != NULL_TREE;
}

}  // namespace

/// Unknown: nothing that matters.
Value Preparation::handed_value(tree argument, ContextId context) {
    const tree type = TREE_TYPE(argument);
    const bool is_object = is_known_object(values_, source_, argument, context);
    Value value = is_object ? values_.object_at(argument, context) : values_.of(argument, context);
    if (POINTER_TYPE_P(type) && integer_zerop(argument)) value.number = kNull;
    if (value.kind != Value::Kind::Constant && (source_.has_threads || source_.has_plain_calls)) {
        // Without threads only a function of the program may tell the number.
        const auto number = conditions_.thread_number(argument, context);
        const bool is_told =
            number && number->name != 0 && !gathering_.number_keepers.contains(number->name);
        if (number && (source_.has_threads || is_told)) return *number;
    }
    if ((INTEGRAL_TYPE_P(type) || is_captured_pointer(argument)) &&
        value.kind == Value::Kind::Element) {
        const Value member = number_in_parameter(values_, argument, context, true);
        if (member.kind == Value::Kind::Parameter) value = member;
    }
    const bool is_reference = is_fortran() && TREE_CODE(argument) == ADDR_EXPR;
    const tree number = is_reference ? TREE_OPERAND(argument, 0) : argument;
    if (value.kind == Value::Kind::Unknown ||
        (value.kind == Value::Kind::Local && INTEGRAL_TYPE_P(TREE_TYPE(number)))) {
        const Value own = own_part(number, context);
        if (own.kind == Value::Kind::Element) value = own;
    }
    const bool is_other_object =
        value.kind == Value::Kind::Element && POINTER_TYPE_P(type) &&
        (value.number != 0 || (gathering_.returned_objects.contains(value.name) &&
                               RECORD_OR_UNION_TYPE_P(TREE_TYPE(type))));
    const bool may_be_any = value.kind == Value::Kind::Local ||
                            (value.kind == Value::Kind::Element && !is_other_object) ||
                            value.kind == Value::Kind::Global;
    return may_be_any && !is_object && !is_handle(argument) ? Value{} : value;
}

/// What a variable or a member keeps; `value` if it is not made of such.
Value Preparation::kept_or(const Value& value, tree argument, ContextId context) {
    constexpr int most_copies = 3;
    const bool is_known = value.kind == Value::Kind::Constant ||
                          (value.kind == Value::Kind::ThreadNumber && value.name == 0);
    if (is_known || !is_made_of_kept(argument, most_copies)) return value;
    auto number = conditions_.kept_number(argument, context);
    if (!number) return value;
    const std::string& keeper = gathering_.unit.strings[number->name];
    const std::string name = keeper + '\n' + std::to_string(static_cast<int>(value.kind)) + ' ' +
                             std::to_string(value.name) + ' ' + std::to_string(value.number) + ' ' +
                             (value.is_shared ? '1' : '0') + (value.created_once ? '1' : '0');
    const StringId alias = gathering_.intern(name);
    gathering_.handed_of_keepers.try_emplace(alias, HandedKeeper{number->name, value});
    number->name = alias;
    return *number;
}

/// Whether something is read for it that each thread has for itself, or a member of an object.
bool Preparation::is_made_of_kept(tree operand, int depth) {
    constexpr std::size_t most_writes = 4;
    if (operand == NULL_TREE) return false;
    if (TREE_CODE(operand) == ADDR_EXPR) operand = TREE_OPERAND(operand, 0);
    if (source_.own_variable(operand) != NULL_TREE) return true;
    if (TREE_CODE(operand) == COMPONENT_REF) return is_number_or_flag(TREE_TYPE(operand));
    const VariableUse* use =
        depth > 0 && is_local_name(operand) ? source_.use_of(operand) : nullptr;
    if (use == nullptr || use->definitions.size() > most_writes) return false;
    return std::ranges::any_of(use->definitions, [&](const Located& at) {
        if (!is_gimple_assign(at.statement)) return false;
        for (unsigned i = 1; i < gimple_num_ops(at.statement); ++i)
            if (is_made_of_kept(gimple_op(at.statement, i), depth - 1)) return true;
        return false;
    });
}

/// Of a number that all threads of the region around the call hand over, which none of them writes.
bool Preparation::is_common_local(const Value& value, tree argument, ContextId context) {
    return value.kind == Value::Kind::Local && value.is_shared &&
           source_.thread_context(context) != 0 && conditions_.is_same_for_all(argument, context);
}

/// Beside the number of the thread, with which it may be compared: what all threads hand over.
void Preparation::add_shared_numbers(Step& step, const LocatedCall& at) {
    if (std::ranges::none_of(step.arguments, [this](const Value& value) {
            return value.kind == Value::Kind::ThreadNumber && is_number_or_sum(value) &&
                   !gathering_.handed_of_keepers.contains(value.name);
        }))
        return;
    const unsigned count = gimple_call_num_args(at.call);
    for (unsigned i = 0; i < count; ++i) {
        if (!conditions_.is_same_for_all(gimple_call_arg(at.call, i), at.context)) continue;
        if (i >= step.arguments.size()) step.arguments.resize(i + 1);
        Value& value = step.arguments[i];
        // Fortran's handles are numbers, and handed over by their addresses.
        if (value.kind == Value::Kind::Local) value.number = kSameForAll;
        if (value.kind == Value::Kind::Unknown) value.kind = Value::Kind::SameForAll;
    }
}

/// In place of the lambda that is called, what it refers to.
Value Preparation::captured_object(tree lambda, ContextId context) {
    const tree object = captured_by(source_, lambda);
    return object == NULL_TREE ? Value{} : handed_value(object, context);
}

void Preparation::add_arguments(Step& step, const LocatedCall& at) {
    const unsigned count = gimple_call_num_args(at.call);
    for (unsigned i = 0; i < count; ++i) {
        const tree argument = handed_number(at.call, i);
        const tree called_back = function_in(argument);
        if (called_back != NULL_TREE) {
            const StringId symbol = symbol_behind_pointer(gathering_, called_back);
            // Who calls by a pointer calls a function with notes, or one that does nothing.
            if (step.kind == StepKind::Call) step.callbacks.push_back(symbol);
            step.arguments.resize(i + 1);
            step.arguments[i].kind = Value::Kind::Function;
            step.arguments[i].name = symbol;
            continue;
        }
        const tree type = TREE_TYPE(argument);
        if (!INTEGRAL_TYPE_P(type) && !POINTER_TYPE_P(type)) continue;
        Value value = i == 0 && calls_with_object(at.call)
                          ? captured_object(argument, at.context)
                          : kept_or(handed_value(argument, at.context), argument, at.context);
        const tree flag =
            value.kind == Value::Kind::Unknown ? flag_in(values_, argument) : NULL_TREE;
        if (value.kind == Value::Kind::Local) {
            const Value copied = copied_parameter(values_, source_, argument, at);
            if (copied.kind != Value::Kind::Unknown) value = copied;
        }
        if (flag != NULL_TREE) value = conditions_.flag_of_argument(flag, at).value_or(value);
        if (value.kind == Value::Kind::Unknown) continue;
        if (is_common_local(value, argument, at.context)) value.number = kSameForAll;
        step.arguments.resize(i + 1);
        step.arguments[i] = value;
    }
    add_shared_numbers(step, at);
    note_global_handles(at);
}

/// Whether `operand` may have what a parameter was handed in with, as far as a look tells: to find
/// out what the others are takes long in large functions.
bool Preparation::may_be_parameter(tree operand) {
    constexpr int most_copies = 3;
    for (int i = 0; i < most_copies; ++i) {
        operand = strip(operand);
        if (TREE_CODE(operand) == MEM_REF) operand = TREE_OPERAND(operand, 0);
        if (TREE_CODE(operand) == PARM_DECL) return true;
        const Located* made = is_local_name(operand) ? values_.only_definition(operand) : nullptr;
        if (made == nullptr || !is_copying(made->statement)) return false;
        operand = gimple_assign_rhs1(made->statement);
    }
    return false;
}

/// Parameters, as they were handed in, that assignments of numbers write.
void Preparation::note_argument_copies() {
    const auto note = [this](const Located& at) {
        if (!is_gimple_assign(at.statement) || !is_copying(at.statement)) return;
        const tree left = gimple_assign_lhs(at.statement);
        const tree written = gimple_assign_rhs1(at.statement);
        const bool may_be = INTEGRAL_TYPE_P(TREE_TYPE(left)) &&
                            INTEGRAL_TYPE_P(TREE_TYPE(written)) &&
                            TREE_CODE(written) != INTEGER_CST && !TREE_THIS_VOLATILE(written);
        if (!may_be || argument_copies.contains(at.statement) || !may_be_parameter(written)) return;
        const Value value = values_.of(written, at.context);
        if (is_whole_parameter(value)) argument_copies.emplace(at.statement, value);
    };
    for (const auto* writes : {&source_.assignments, &source_.member_writes}) {
        for (const Located& at : *writes)
            note(at);
    }
}

}  // namespace mqinspect::thread_level::plugin
