// Threads that a function starts: Preparation, second part.
#include <string>

#include "thread_level/gcc_plugin/futures.h"
#include "thread_level/gcc_plugin/prepared.h"
#include "thread_level/gcc_plugin/thread_numbers.h"
#include "thread_level/gcc_plugin/turn_objects.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// operator() of a class, if it has only one.
tree call_operator(tree class_type) {
    tree found = NULL_TREE;
    for (tree member = TYPE_FIELDS(class_type); member != NULL_TREE; member = DECL_CHAIN(member)) {
        if (TREE_CODE(member) != FUNCTION_DECL || DECL_NAME(member) == NULL_TREE) continue;
        if (std::string_view(IDENTIFIER_POINTER(DECL_NAME(member))) != "operator()") continue;
        if (found != NULL_TREE) return NULL_TREE;
        found = member;
    }
    return found;
}

/// Of pointers and references to a function or a member function; null: it is none.
tree function_type_of(tree type) {
    while (POINTER_TYPE_P(type))
        type = TREE_TYPE(type);
    if (TREE_CODE(type) == RECORD_TYPE && TYPE_FIELDS(type) != NULL_TREE) {
        // A pointer to a member: the function and an offset.
        const tree first = TREE_TYPE(TYPE_FIELDS(type));
        const bool is_method = POINTER_TYPE_P(first) && TREE_CODE(TREE_TYPE(first)) == METHOD_TYPE;
        return is_method ? TREE_TYPE(first) : NULL_TREE;
    }
    return TREE_CODE(type) == FUNCTION_TYPE ? type : NULL_TREE;
}

/// Whether `value` is one object whose address a thread may be handed.
bool is_object(tree address, const Value& value) {
    if (value.kind == Value::Kind::Parameter) return true;
    if (!POINTER_TYPE_P(TREE_TYPE(address))) return false;
    const bool is_record = RECORD_OR_UNION_TYPE_P(TREE_TYPE(TREE_TYPE(address)));
    const bool is_named = TREE_CODE(address) == ADDR_EXPR &&
                          (value.kind == Value::Kind::Local || value.kind == Value::Kind::Global);
    const bool is_counted = value.kind == Value::Kind::Element && value.number != 0;
    return is_named || (is_counted && (is_record || TREE_CODE(address) == ADDR_EXPR));
}

}  // namespace

/// `changed.wait(hold, [] { return is_there; })`
void Preparation::note_wait(const LocatedCall& at) {
    const unsigned count = gimple_call_num_args(at.call);
    if (count == 0 || !waits_for_predicate(gathering_.unit.strings[at.callee->symbol])) return;
    tree type = TREE_TYPE(gimple_call_arg(at.call, count - 1));
    if (POINTER_TYPE_P(type)) type = TREE_TYPE(type);
    const tree predicate = RECORD_OR_UNION_TYPE_P(type) ? call_operator(type) : NULL_TREE;
    if (predicate != NULL_TREE) waits.emplace(at.call, gathering_.symbol(predicate));
}

/// Calls of the C++ library know what they refer to by its address.
bool Preparation::is_of_library(const LocatedCall& at) {
    const tree callee = gimple_call_fndecl(at.call);
    return is_of_standard_library(gathering_.unit.strings[gathering_.symbol(callee)]);
}

/// What a thread is handed that a container of threads makes, or a function that gets its function.
void Preparation::add_counted(Step& step, const LocatedCall& at) {
    const std::string& symbol = gathering_.unit.strings[step.name];
    const bool has_threads =
        symbol.find("6thread") != std::string::npos || symbol.find("7jthread") != std::string::npos;
    const bool is_container = has_threads && is_of_library(at);
    if (!is_container && step.callbacks.empty()) return;
    for (unsigned i = 1; i < gimple_call_num_args(at.call); ++i) {
        const Value counted = counted_argument(values_, source_, at.call, i, is_container);
        if (counted.kind == Value::Kind::Unknown) continue;
        if (step.arguments.size() <= i) step.arguments.resize(i + 1);
        step.arguments[i] = counted;
    }
}

/// What a thread is handed behind its function. A function object is an argument itself.
void Preparation::add_thread_arguments(Step& step, const LocatedCall& at) {
    const int first = at.callee->argument + 1;
    const tree started = argument_of(at.call, at.callee->argument);
    if (function_type_of(TREE_TYPE(started)) == NULL_TREE) return;
    const bool is_reference = is_of_library(at);
    for (unsigned i = static_cast<unsigned>(first); i < gimple_call_num_args(at.call); ++i) {
        const tree address = values_.referred_to(gimple_call_arg(at.call, i));
        Value value = values_.object_at(address, at.context);
        const Value counted = counted_argument(values_, source_, at.call, i, is_reference);
        if (counted.kind != Value::Kind::Unknown) {
            value = counted;
        } else if (value.kind == Value::Kind::Unknown || !is_object(address, value)) {
            continue;
        }
        step.arguments.resize(i - static_cast<unsigned>(first) + 1);
        step.arguments.back() = value;
    }
}

/// Which thread a call waits for by a future.
void Preparation::note_joined(Step& step, const LocatedCall& at) {
    const auto maker = turns_.maker_of_future(at.call);
    if (!maker) return;
    const Step started = make_thread_step(*maker);
    step.is_by_type = false;
    if (!started.is_by_type) step.name = started.name;
}

Step Preparation::make_thread_step(const LocatedCall& at) {
    Step step;
    const tree task = argument_of(at.call, at.callee->argument);
    if (task != NULL_TREE && POINTER_TYPE_P(TREE_TYPE(task)) &&
        is_packaged_task(TREE_TYPE(TREE_TYPE(task))))
        return step;  // what is in it counts from where it is made on
    step.kind = StepKind::StartThread;
    constexpr std::int64_t deferred = 2;  // std::launch: who waits for it calls it
    const bool is_call = at.callee->kind == CalleeKind::CallOnce;
    if (is_call) once.emplace(at.call, values_.of(argument_of(at.call, 0), at.context));
    const bool has_policy = !is_call && at.callee->argument == 1 &&
                            gimple_call_num_args(at.call) > 1 &&
                            INTEGRAL_TYPE_P(TREE_TYPE(gimple_call_arg(at.call, 0)));
    if (is_call || (has_policy && values_.constant(gimple_call_arg(at.call, 0)) == deferred))
        step.kind = StepKind::Call;
    const tree argument = argument_of(at.call, at.callee->argument);
    if (argument == NULL_TREE) return step;
    tree started = function_in(argument);
    if (started == NULL_TREE && POINTER_TYPE_P(TREE_TYPE(argument))) {
        // A reference to a function object: a lambda.
        const tree type = TREE_CODE(argument) == ADDR_EXPR ? TREE_TYPE(TREE_OPERAND(argument, 0))
                                                           : TREE_TYPE(TREE_TYPE(argument));
        if (RECORD_OR_UNION_TYPE_P(type)) started = call_operator(type);
        // A reference to a pointer to a function.
        if (TREE_CODE(argument) == ADDR_EXPR && is_local_name(TREE_OPERAND(argument, 0))) {
            started =
                started != NULL_TREE ? started : source_.function_in(TREE_OPERAND(argument, 0));
        }
    }
    const tree type = started == NULL_TREE ? function_type_of(TREE_TYPE(argument)) : NULL_TREE;
    if (started != NULL_TREE) {
        step.name = gathering_.symbol(started);
        if (step.kind == StepKind::StartThread) add_thread_arguments(step, at);
    } else if (type != NULL_TREE) {
        if (step.kind == StepKind::Call) step.kind = StepKind::Indirect;
        step.is_by_type = step.kind == StepKind::StartThread;
        step.name = gathering_.intern(type_key(type));
    } else if (step.kind == StepKind::Call) {
        step.kind = StepKind::Join;
    }
    return step;
}

}  // namespace mqinspect::thread_level::plugin
