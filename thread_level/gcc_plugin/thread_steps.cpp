// Threads that a function starts: Preparation, second part.
#include <algorithm>
#include <optional>
#include <string>

#include "thread_level/facts/library_functions.h"
#include "thread_level/gcc_plugin/captured_objects.h"
#include "thread_level/gcc_plugin/futures.h"
#include "thread_level/gcc_plugin/member_functions.h"
#include "thread_level/gcc_plugin/numbered_objects.h"
#include "thread_level/gcc_plugin/object_classes.h"
#include "thread_level/gcc_plugin/packaged_tasks.h"
#include "thread_level/gcc_plugin/pointed_procedures.h"
#include "thread_level/gcc_plugin/prepared.h"
#include "thread_level/gcc_plugin/started_objects.h"
#include "thread_level/gcc_plugin/thread_numbers.h"
#include "thread_level/gcc_plugin/turn_objects.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// Of a class in which operator() is a template, as in a generic lambda: what the unit makes of it,
/// if that is one function.
tree instance_of_call_operator(tree class_type) {
    tree found = NULL_TREE;
    cgraph_node* node = nullptr;
    FOR_EACH_FUNCTION(node) {
        const tree scope = DECL_CONTEXT(node->decl);
        if (scope == NULL_TREE || !TYPE_P(scope) || !is_call_operator(node->decl) ||
            TYPE_MAIN_VARIANT(scope) != TYPE_MAIN_VARIANT(class_type))
            continue;
        if (found != NULL_TREE) return NULL_TREE;
        found = node->decl;
    }
    return found;
}

/// operator() of a class, if it has only one.
tree call_operator(tree class_type) {
    tree found = NULL_TREE;
    for (tree member = TYPE_FIELDS(class_type); member != NULL_TREE; member = DECL_CHAIN(member)) {
        if (!is_call_operator(member)) continue;
        if (found != NULL_TREE) return NULL_TREE;
        found = member;
    }
    return found;
}

constexpr int kMostWrappers = 6;  // around each other
constexpr int kMostBound = 24;    // arguments, and the parts of the library that hold them

bool is_bound_call(tree class_type) {
    return name_of_type(class_type).starts_with("_Bind") || name_of_type(class_type) == "bind_t";
}

/// Whether one of the arguments in the members of a class is a bound call: that is called, too.
bool holds_bound_call(tree class_type, int depth) {
    for (tree member = TYPE_FIELDS(class_type); member != NULL_TREE; member = DECL_CHAIN(member)) {
        if (TREE_CODE(member) != FIELD_DECL || !RECORD_OR_UNION_TYPE_P(TREE_TYPE(member))) continue;
        if (is_bound_call(TREE_TYPE(member)) || depth == 0 ||
            holds_bound_call(TREE_TYPE(member), depth - 1))
            return true;
    }
    return false;
}

/// What an object of the type calls, or what a pointer or reference to such does.
Callable callable_of(tree type, int depth) {
    Callable called;
    called.type = function_type_of(type);
    if (called.type != NULL_TREE) return called;
    while (POINTER_TYPE_P(type))
        type = TREE_TYPE(type);
    if (!RECORD_OR_UNION_TYPE_P(type) || depth == 0) return called;
    called.function = call_operator(type);
    // Or that of a class which is derived from this one.
    if (called.function != NULL_TREE && DECL_VIRTUAL_P(called.function))
        return {NULL_TREE, TREE_TYPE(called.function)};
    if (called.function != NULL_TREE) return called;
    if (!is_wrapper(type)) return {instance_of_call_operator(type), NULL_TREE};
    for (tree member = TYPE_FIELDS(type); member != NULL_TREE; member = DECL_CHAIN(member)) {
        if (TREE_CODE(member) != FIELD_DECL) continue;
        called = callable_of(TREE_TYPE(member), depth - 1);
        if (called.function == NULL_TREE && called.type == NULL_TREE) continue;
        if (!is_bound_call(type) || !holds_bound_call(type, kMostBound)) return called;
        return {instance_of_call_operator(type), NULL_TREE};
    }
    return called;
}

/// Whether a thread that starts with an object of the type hands its arguments to operator().
bool hands_arguments_on(tree type) {
    const Callable called = callable_of(type, kMostWrappers);
    while (POINTER_TYPE_P(type))
        type = TREE_TYPE(type);
    return called.function != NULL_TREE && !is_bound_call(type);
}

/// Whether `value` is one object whose address a thread may be handed, or a number.
bool is_object(tree address, const Value& value) {
    using Kind = Value::Kind;
    if (value.kind == Kind::Parameter || value.kind == Kind::Predefined ||
        value.kind == Kind::Constant)
        return true;
    if (!POINTER_TYPE_P(TREE_TYPE(address))) return false;
    const bool is_record = RECORD_OR_UNION_TYPE_P(TREE_TYPE(TREE_TYPE(address)));
    const bool is_named = TREE_CODE(address) == ADDR_EXPR &&
                          (value.kind == Kind::Local || value.kind == Kind::Global);
    const bool is_counted = value.kind == Kind::Element && value.number != 0;
    return is_named || (is_counted && (is_record || TREE_CODE(address) == ADDR_EXPR));
}

/// What a thread is handed: an object by its address or a reference, or one value for all. Of other
/// objects that are handed over by value it has a copy.
Value handed_to_thread(Values& values, const LocatedCall& at, tree argument, bool is_reference) {
    const tree referred = values.referred_to(argument);
    const bool is_copied = is_reference && referred == argument;
    const tree address = values.copied_address(referred);
    const Value value = is_copied || at.context != 0 ? values.object_at(address, at.context)
                                                     : one_object_at(values, address);
    if (!is_object(address, value)) return {};
    const bool is_record =
        POINTER_TYPE_P(TREE_TYPE(address)) && RECORD_OR_UNION_TYPE_P(TREE_TYPE(TREE_TYPE(address)));
    return is_copied && is_record && value.kind == Value::Kind::Global ? Value{} : value;
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

/// Of functions of the unit, as others can't be told: whether it gets what a thread may be handed.
bool Preparation::may_start_thread(tree callee) {
    if (!is_defined(callee) || is_fortran()) return false;
    for (tree type = TYPE_ARG_TYPES(TREE_TYPE(callee)); type != NULL_TREE;
         type = TREE_CHAIN(type)) {
        const tree argument = TREE_VALUE(type);
        if (TREE_CODE(argument) == POINTER_TYPE && VOID_TYPE_P(TREE_TYPE(argument))) return true;
    }
    return false;
}

/// What a thread is handed that a container of threads makes, or a function that gets its function.
void Preparation::add_counted(Step& step, const LocatedCall& at) {
    const std::string& symbol = gathering_.unit.strings[step.name];
    const bool has_threads =
        symbol.find("6thread") != std::string::npos || symbol.find("7jthread") != std::string::npos;
    const bool is_container = has_threads && is_of_library(at);
    const bool has_function = !step.callbacks.empty() || is_container;
    if (!has_function) add_numbers_pointed_to(step, at);
    const bool has_one = gimple_call_num_args(at.call) == 1 && !is_fortran();
    if (has_one && is_defined(gimple_call_fndecl(at.call)))
        add_member_functions(step, gimple_call_arg(at.call, 0));
    if (!has_function && !may_start_thread(gimple_call_fndecl(at.call))) return;
    std::optional<unsigned> object;  // with a number in it
    for (unsigned i = is_container ? 1 : 0; i < gimple_call_num_args(at.call); ++i) {
        Value value = counted_argument(values_, source_, at.call, i, is_container);
        if (value.kind == Value::Kind::Counted && value.name != 0) object = i;
        const bool is_counted = value.kind == Value::Kind::Counted;
        if (value.kind == Value::Kind::Unknown && is_container)
            value = handed_to_thread(values_, at, gimple_call_arg(at.call, i), true);
        if (value.kind == Value::Kind::Unknown && is_container)
            value = captured_for_thread(at, gimple_call_arg(at.call, i));
        if (!is_counted && is_container && at.context == 0)
            value = numbered_object(values_, source_, gimple_call_arg(at.call, i), {}, value);
        if (value.kind == Value::Kind::Unknown) continue;
        if (step.arguments.size() <= i) step.arguments.resize(i + 1);
        step.arguments[i] = value;
    }
    if (object) add_common_members(step, at, *object);
}

/// A function that threads start with, called by who has started them.
void Preparation::add_numbers_pointed_to(Step& step, const LocatedCall& at) {
    if (gimple_call_num_args(at.call) != 1 || is_fortran() ||
        !is_defined(gimple_call_fndecl(at.call)))
        return;
    for (const Value& number : numbers_pointed_to(values_, source_, at.call)) {
        step.arguments.resize(std::max<std::size_t>(step.arguments.size(), 1));
        step.arguments.push_back(number);
    }
}

/// What is called by way of the one argument.
void Preparation::add_member_functions(Step& step, tree argument) {
    const std::vector<Value> functions =
        functions_in_members(gathering_, values_, source_, callees_, argument);
    if (functions.empty()) return;
    step.arguments.resize(std::max<std::size_t>(step.arguments.size(), 1));
    step.arguments.insert(step.arguments.end(), functions.begin(), functions.end());
}

/// What a thread is handed by std::bind(function, numbers), whose object it starts with. False: it
/// is no such, or one that still gets arguments.
bool Preparation::add_bound_arguments(Step& step, tree started) {
    const tree object = TREE_CODE(started) == ADDR_EXPR ? TREE_OPERAND(started, 0) : started;
    if (!VAR_P(object) || !is_bound_call(TREE_TYPE(object))) return false;
    const Located* made = values_.only_assignment(object);
    if (made == nullptr || !is_gimple_call(made->statement)) return false;
    const auto* bind = as_a<const gcall*>(made->statement);
    const unsigned count = gimple_call_num_args(bind);
    const tree bound = count > 1 ? function_in(gimple_call_arg(bind, 0)) : NULL_TREE;
    if (bound == NULL_TREE || symbol_behind_pointer(gathering_, bound) != step.name) return false;
    std::vector<Value> arguments(count - 1);
    for (unsigned i = 1; i < count; ++i) {
        const tree type = TREE_TYPE(gimple_call_arg(bind, i));
        if (POINTER_TYPE_P(type) && name_of_type(TREE_TYPE(type)) == "_Placeholder") return false;
        arguments[i - 1] = counted_argument(values_, source_, bind, i, true);
    }
    step.arguments = std::move(arguments);
    // It is called by the thread only.
    if (const auto binding = steps.find(bind); binding != steps.end())
        binding->second.callbacks.clear();
    return true;
}

/// What a lambda refers to that a thread starts with.
Value Preparation::captured_for_thread(const LocatedCall& at, tree lambda) {
    const tree object = captured_by(source_, lambda);
    return object == NULL_TREE ? Value{} : handed_to_thread(values_, at, object, false);
}

/// What else the objects have in common that threads get their numbers in.
void Preparation::add_common_members(Step& step, const LocatedCall& at, unsigned position) {
    const std::vector<Value> members = common_members(values_, source_, at.call, position);
    step.arguments.insert(step.arguments.end(), members.begin(), members.end());
}

/// What a thread is handed behind its function. A function object is the first argument of its
/// operator().
void Preparation::add_thread_arguments(Step& step, const LocatedCall& at) {
    const auto first = static_cast<unsigned>(at.callee->argument) + 1;
    const tree started = argument_of(at.call, at.callee->argument);
    const bool is_function = function_type_of(TREE_TYPE(started)) != NULL_TREE;
    const bool is_bound = !is_function && add_bound_arguments(step, started);
    if (is_bound || (!is_function && !hands_arguments_on(TREE_TYPE(started)))) return;
    const bool is_reference = is_of_library(at);
    if (!is_function) {
        Value object = counted_argument(values_, source_, at.call, first - 1, is_reference);
        if (object.kind != Value::Kind::Counted) {
            object = captured_for_thread(at, started);
            if (at.context == 0)
                object = numbered_object(values_, source_, started, step.value, object);
            if (object.kind != Value::Kind::Unknown) step.arguments = {object};
        }
        if (object.kind == Value::Kind::Counted && object.name != 0) {
            step.arguments = {object};
            add_common_members(step, at, first - 1);
        }
    }
    if (is_function && first < gimple_call_num_args(at.call)) {
        const tree object = values_.referred_to(gimple_call_arg(at.call, first));
        step.object_class = class_started_with(values_.copied_address(object), values_, gathering_);
    }
    for (unsigned i = first; i < gimple_call_num_args(at.call); ++i) {
        Value value = counted_argument(values_, source_, at.call, i, is_reference);
        if (value.kind == Value::Kind::Unknown)
            value = handed_to_thread(values_, at, gimple_call_arg(at.call, i), is_reference);
        if (value.kind != Value::Kind::Counted && at.context == 0) {
            value =
                numbered_object(values_, source_, gimple_call_arg(at.call, i), step.value, value);
        }
        if (value.kind == Value::Kind::Unknown && is_function) continue;
        if (value.kind == Value::Kind::Unknown) value.kind = Value::Kind::Element;
        step.arguments.resize(i - first + (is_function ? 1 : 2));
        step.arguments.back() = value;
    }
    const bool has_object = is_function && step.arguments.size() == 1 &&
                            step.arguments[0].kind == Value::Kind::Counted &&
                            step.arguments[0].name != 0;
    if (has_object) add_common_members(step, at, first);
    if (is_function && !step.is_by_type && gimple_call_num_args(at.call) == first + 1)
        add_member_functions(step, values_.referred_to(gimple_call_arg(at.call, first)));
}

/// Which thread a call waits for by a future.
void Preparation::note_joined(Step& step, const LocatedCall& at) {
    step.value = handles_.joined_by(at);
    const auto maker = turns_.maker_of_future(gimple_call_arg(at.call, 0));
    if (!maker) return;
    const Step started = make_thread_step(*maker);
    step.is_by_type = false;
    if (!started.is_by_type) step.name = started.name;
}

/// Which threads static futures are of.
void Preparation::note_static_futures() {
    for (const TurnUses::StaticFuture& future : turns_.static_futures()) {
        AsyncFuture& known = gathering_.async_futures[future.name];
        const auto start = steps.find(future.maker);
        const bool is_thread = start != steps.end() && start->second.kind == StepKind::StartThread;
        known.is_other = known.is_other || !is_thread;
        if (!is_thread) continue;
        known.threads.push_back(start->second.is_by_type ? 0 : start->second.name);
        start->second.value = {};
        start->second.value.kind = Value::Kind::Global;
        start->second.value.name = future.name;
    }
}

/// What is called by way of the argument that a thread starts with.
Callable Preparation::callable_in(tree argument) {
    Callable called;
    called.function = function_in(argument);
    if (called.function != NULL_TREE) return called;
    const bool is_address = TREE_CODE(argument) == ADDR_EXPR;
    called = callable_of(is_address ? TREE_TYPE(TREE_OPERAND(argument, 0)) : TREE_TYPE(argument),
                         kMostWrappers);
    // Of its type there may be others, too.
    const tree known =
        called.type == NULL_TREE ? NULL_TREE : known_function_in(argument, kMostWrapped);
    return known == NULL_TREE ? called : Callable{known, NULL_TREE};
}

/// Of what a packaged task is made of; settle_packaged_tasks() knows more.
void Preparation::note_task(Step& step, const LocatedCall& at) {
    const tree maker = gimple_call_fndecl(at.call);
    const tree type = maker == NULL_TREE ? NULL_TREE : DECL_CONTEXT(maker);
    if (type == NULL_TREE || !TYPE_P(type) || !is_packaged_task(type)) return;
    step.is_virtual = true;
    gathering_.tasks.push_back({step.name, task_slot(gathering_, type)});
}

Step Preparation::make_thread_step(const LocatedCall& at) {
    Step step;
    const tree task = argument_of(at.call, at.callee->argument);
    if (task != NULL_TREE && POINTER_TYPE_P(TREE_TYPE(task)) &&
        is_packaged_task(TREE_TYPE(TREE_TYPE(task)))) {
        // What is in it counts from where it is made on.
        gathering_.started_tasks.insert(task_slot(gathering_, TREE_TYPE(TREE_TYPE(task))));
        return step;
    }
    step.kind = StepKind::StartThread;
    step.value = handles_.started_by(at);
    constexpr std::int64_t deferred = 2;  // std::launch: who waits for it calls it
    const bool is_call = at.callee->kind == CalleeKind::CallOnce;
    if (is_call) once.emplace(at.call, values_.of(argument_of(at.call, 0), at.context));
    const bool has_policy = !is_call && at.callee->argument == 1 &&
                            gimple_call_num_args(at.call) > 1 &&
                            INTEGRAL_TYPE_P(TREE_TYPE(gimple_call_arg(at.call, 0)));
    if (is_call || (has_policy && values_.constant(gimple_call_arg(at.call, 0)) == deferred))
        step.kind = StepKind::Call;
    if (step.kind == StepKind::Call) step.value = {};
    const tree argument = argument_of(at.call, at.callee->argument);
    if (argument == NULL_TREE) return step;
    const Callable called = callable_in(argument);
    if (called.function != NULL_TREE) {
        step.name = symbol_behind_pointer(gathering_, called.function);
        if (step.kind == StepKind::StartThread) add_thread_arguments(step, at);
        note_task(step, at);
    } else if (called.type != NULL_TREE) {
        if (step.kind == StepKind::Call) step.kind = StepKind::Indirect;
        step.is_by_type = step.kind == StepKind::StartThread;
        step.name = gathering_.intern(type_key(called.type));
        step.callee = handed_callee(argument, at.context);
        const tree member = TREE_CODE(argument) == ADDR_EXPR ? TREE_OPERAND(argument, 0) : argument;
        if (const std::string slot = virtual_member_in(member, source_); !slot.empty()) {
            step.callee.kind = Value::Kind::Function;
            step.callee.name = gathering_.intern(slot);
        }
        if (step.is_by_type) add_thread_arguments(step, at);
    } else {
        step.name = gathering_.intern(kUnknownFunction);
    }
    return step;
}

}  // namespace mqinspect::thread_level::plugin
