// Promises and futures, and what they are of: TurnUses, fourth part.
#include "thread_level/gcc_plugin/futures.h"

#include <algorithm>
#include <string>

#include "thread_level/facts/strings.h"
#include "thread_level/gcc_plugin/packaged_tasks.h"
#include "thread_level/gcc_plugin/turn_uses.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr std::string_view kFutures[] = {"_ZNSt6futureI",
                                         "_ZNSt13shared_futureI",
                                         "_ZNKSt13shared_futureI",
                                         "_ZNSt14__basic_futureI",
                                         "_ZNKSt14__basic_futureI"};
constexpr int kMostFutureMoves = 4;  // of one future
constexpr std::string_view kPromise = "_ZNSt7promiseI";
constexpr std::string_view kTask = "_ZNSt13packaged_taskI";

bool is_member_of_future(std::string_view symbol) {
    return std::any_of(std::begin(kFutures), std::end(kFutures), [&](std::string_view start) {
        return symbol.starts_with(start);
    });
}

bool is_destructor(std::string_view symbol) {
    return symbol.ends_with("D1Ev") || symbol.ends_with("D2Ev");
}

bool is_address_of_future(tree argument, tree variable) {
    return TREE_CODE(argument) == ADDR_EXPR && future_around(TREE_OPERAND(argument, 0)) == variable;
}

}  // namespace

bool is_promise(tree type) {
    return RECORD_OR_UNION_TYPE_P(type) && name_of_type(TYPE_MAIN_VARIANT(type)) == "promise";
}

bool is_packaged_task(tree type) {
    return RECORD_OR_UNION_TYPE_P(type) && name_of_type(TYPE_MAIN_VARIANT(type)) == "packaged_task";
}

bool is_future(tree type) {
    if (!RECORD_OR_UNION_TYPE_P(type)) return false;
    const std::string_view name = name_of_type(TYPE_MAIN_VARIANT(type));
    return name == "future" || name == "shared_future" || name == "__basic_future";
}

CalleeKind kind_of_future_member(std::string_view symbol) {
    if (symbol.starts_with(kPromise)) {
        if (contains(symbol, "E9set_valueE") || contains(symbol, "E13set_exceptionE"))
            return CalleeKind::LatchCount;
        const bool is_known = contains(symbol, "EC1") || contains(symbol, "EC2") ||
                              is_destructor(symbol) || returns_future(symbol);
        return is_known ? CalleeKind::Harmless : CalleeKind::Other;
    }
    if (symbol.starts_with(kTask)) {
        // Whoever has the task may call it from here on.
        const bool makes = contains(symbol, "EC1I") || contains(symbol, "EC2I");
        if (makes) return CalleeKind::StartThread;
        return calls_task(symbol) ? CalleeKind::Other : CalleeKind::Harmless;
    }
    if (!is_member_of_future(symbol)) return CalleeKind::Other;
    if (is_destructor(symbol)) return CalleeKind::FutureEnd;
    const bool waits = symbol.ends_with("E3getEv") || symbol.ends_with("E4waitEv");
    return waits ? CalleeKind::FutureWait : CalleeKind::Harmless;
}

bool returns_future(std::string_view symbol) {
    const bool is_source = symbol.starts_with(kPromise) || symbol.starts_with(kTask);
    return (is_source && symbol.ends_with("E10get_futureEv")) ||
           (is_member_of_future(symbol) && symbol.ends_with("E5shareEv"));
}

bool transfers_future(std::string_view symbol) {
    if (!symbol.starts_with(kPromise) && !is_member_of_future(symbol)) return false;
    for (const std::string_view name : {"EC1EO", "EC2EO", "EC1ERK", "EC2ERK", "EaSE"}) {
        if (contains(symbol, name)) return true;
    }
    return false;
}

bool is_std_move(std::string_view symbol) {
    return symbol.starts_with("_ZSt4moveI") || symbol.starts_with("_ZSt7forwardI");
}

tree future_around(tree object) {
    while (TREE_CODE(object) == COMPONENT_REF && DECL_NAME(TREE_OPERAND(object, 1)) == NULL_TREE &&
           is_future(TREE_TYPE(object)))
        object = TREE_OPERAND(object, 0);
    return object;
}

/// The promise that a promise or a future has been made of, or what it is called until that is
/// known.
std::optional<TurnVariable> TurnUses::state_of(tree object, ContextId context, int depth) {
    TurnVariable known;
    known.value.kind = Value::Kind::Global;
    if (is_field_of_function(object)) {
        const unsigned field = DECL_UID(TREE_OPERAND(object, 1));
        known.value.name = gathering_.intern("captured@" + std::to_string(field));
        gathering_.turn_locals.try_emplace(known.value.name);
        return known;
    }
    if (!VAR_P(object)) return std::nullopt;
    if (is_global_var(object)) {
        if (!is_future(TREE_TYPE(object)) || !is_own_variable(object)) return std::nullopt;
        known.value.name = gathering_.symbol(object);
        gathering_.turn_locals.try_emplace(known.value.name);
        return known;
    }
    const tree source = source_of_state(object);
    return source == NULL_TREE ? std::nullopt : variable_at(source, context, depth - 1);
}

/// The address of what a local promise or future is made of, by one call; null: it is not, or by
/// several.
tree TurnUses::source_of_state(tree variable) {
    const VariableUse* use = source_.use_of(variable);
    if (use == nullptr) return NULL_TREE;
    tree source = NULL_TREE;
    const auto add = [&source](tree address) {
        const bool is_first = source == NULL_TREE;
        source = address;
        return is_first;
    };
    for (const Located& at : use->definitions) {
        const tree callee =
            is_gimple_call(at.statement) ? gimple_call_fndecl(at.statement) : NULL_TREE;
        if (callee == NULL_TREE || gimple_call_lhs(at.statement) != variable ||
            !returns_future(gathering_.unit.strings[gathering_.symbol(callee)]) ||
            !add(gimple_call_arg(at.statement, 0)))
            return NULL_TREE;
    }
    for (const Located& at : use->handed_over) {
        const tree callee = gimple_call_fndecl(at.statement);
        if (callee == NULL_TREE) return NULL_TREE;
        const std::string& symbol = gathering_.unit.strings[gathering_.symbol(callee)];
        const bool is_target = is_address_of_future(gimple_call_arg(at.statement, 0), variable);
        if (is_target && transfers_future(symbol)) {
            if (!add(gimple_call_arg(at.statement, 1))) return NULL_TREE;
            continue;
        }
        // Who gets it by reference may give it another one.
        const bool may_change = callees_.of(callee).kind == CalleeKind::Other &&
                                !is_std_move(symbol) && DECL_NAME(variable) != NULL_TREE;
        if (may_change) return NULL_TREE;
    }
    return source;
}

/// Whether the call moves or copies a promise or a future to somewhere else: that is followed into
/// closures, static futures, and local variables.
bool TurnUses::visit_transfer(const Located& at) {
    const tree callee = gimple_call_fndecl(at.statement);
    if (callee == NULL_TREE || gimple_call_num_args(at.statement) != 2 ||
        !transfers_future(gathering_.unit.strings[gathering_.symbol(callee)]))
        return false;
    const tree target = gimple_call_arg(at.statement, 0);
    const auto source = variable_at(gimple_call_arg(at.statement, 1), at.context);
    const tree object =
        TREE_CODE(target) == ADDR_EXPR ? future_around(TREE_OPERAND(target, 0)) : NULL_TREE;
    const bool is_promise_set =
        contains(gathering_.unit.strings[gathering_.symbol(callee)], "EaSE") &&
        is_promise(TREE_TYPE(TREE_TYPE(target)));
    if (is_promise_set) {
        // It is another one from here on.
        if (const auto set = variable_at(target, at.context)) spoil(*set);
        if (source) spoil(*source);
        return true;
    }
    const bool is_local = object != NULL_TREE && VAR_P(object) && !is_global_var(object);
    if (is_local) return true;  // state_of() knows more
    const auto to = variable_at(target, at.context);
    if (to && to->owner == 0 && to->declaration == NULL_TREE) {
        const StringId name = source ? source->value.name : 0;
        if (name != to->value.name) refer_to(to->value.name, name);  // else in another closure
        note_source(target, gimple_call_arg(at.statement, 1));
    } else if (source && is_promise(TREE_TYPE(TREE_TYPE(target)))) {
        spoil(*source);
    }
    return true;
}

/// `name` stands for `to`, 0: something that is not known, and for nothing else.
void TurnUses::refer_to(StringId name, StringId to) {
    TurnLocal& local = gathering_.turn_locals[name];
    local.is_bad = local.is_bad || to == 0 || (local.refers_to != 0 && local.refers_to != to);
    local.refers_to = to;
}

/// Of the future at `target`, if that is static: `source` has been moved or copied to it.
void TurnUses::note_source(tree target, tree source) {
    const tree object =
        TREE_CODE(target) == ADDR_EXPR ? future_around(TREE_OPERAND(target, 0)) : NULL_TREE;
    if (object == NULL_TREE || !VAR_P(object) || !is_global_var(object) ||
        !is_future(TREE_TYPE(object)))
        return;
    const auto maker = maker_of_future(source);
    static_futures_.push_back({gathering_.symbol(object), maker ? maker->call : nullptr});
}

/// A static future that the call gets, unless the future itself is asked.
void TurnUses::note_handed_future(gimple* call) {
    const tree callee = gimple_call_fndecl(call);
    for (unsigned i = 0; i < gimple_call_num_args(call); ++i) {
        const tree argument = gimple_call_arg(call, i);
        const tree object =
            TREE_CODE(argument) == ADDR_EXPR ? future_around(TREE_OPERAND(argument, 0)) : NULL_TREE;
        if (object == NULL_TREE || !VAR_P(object) || !is_global_var(object) ||
            !is_future(TREE_TYPE(object)) || registers_destructor(callee))
            continue;
        const std::string_view symbol = callee == NULL_TREE
                                            ? std::string_view()
                                            : gathering_.unit.strings[gathering_.symbol(callee)];
        const bool is_own = i == 0 && is_member_of_future(symbol) && !symbol.ends_with("E5shareEv");
        if (!is_own) gathering_.async_futures[gathering_.symbol(object)].is_handed_on = true;
    }
}

/// A static future, of a promise.
void TurnUses::visit_future(const Located& at) {
    const tree left = gimple_call_lhs(at.statement);
    const tree callee = gimple_call_fndecl(at.statement);
    if (left == NULL_TREE || callee == NULL_TREE) return;
    const bool is_of_state = returns_future(gathering_.unit.strings[gathering_.symbol(callee)]);
    gathering_.has_futures_of_promises = gathering_.has_futures_of_promises || is_of_state;
    if (!VAR_P(left) || !is_global_var(left) || !is_future(TREE_TYPE(left))) return;
    const auto known = state_of(left, at.context, 1);
    if (!known) return;
    const auto source =
        is_of_state ? variable_at(gimple_call_arg(at.statement, 0), at.context) : std::nullopt;
    refer_to(known->value.name, source ? source->value.name : 0);
    const bool is_started = callees_.of(callee).kind == CalleeKind::StartThread;
    static_futures_.push_back({gathering_.symbol(left), is_started ? at.statement : nullptr});
}

/// Of a call that waits for a future, or ends one: it waits for a promise, for a thread that
/// std::async() has started, or for one or the other.
Step TurnUses::future_step(const LocatedCall& at) {
    const auto variable = variable_at(gimple_call_arg(at.call, 0), at.context);
    Step step;
    if (variable) {
        if (at.callee->kind == CalleeKind::FutureEnd) return step;
        step.kind = StepKind::Acquire;
        step.turn = Turn::Is;
        step.value = variable->value;
        step.name = variable->owner;
        step.arguments.push_back(constant(1));
        return step;
    }
    if (at.callee->kind == CalleeKind::FutureEnd && is_moved_from(gimple_call_arg(at.call, 0)))
        return step;
    step.kind = StepKind::JoinThread;
    step.is_by_type = true;
    return step;
}

/// Whether a local future may have been given to others: then its destructor waits for nothing.
bool TurnUses::is_moved_from(tree address) {
    const tree object =
        TREE_CODE(address) == ADDR_EXPR ? future_around(TREE_OPERAND(address, 0)) : NULL_TREE;
    const VariableUse* use =
        object != NULL_TREE && is_local_name(object) ? source_.use_of(object) : nullptr;
    if (use == nullptr) return false;
    const std::vector<Located> calls = use->handed_over;
    return std::any_of(calls.begin(), calls.end(), [&](const Located& at) {
        const tree callee = gimple_call_fndecl(at.statement);
        if (callee == NULL_TREE || gimple_call_num_args(at.statement) == 0) return true;
        const std::string& symbol = gathering_.unit.strings[gathering_.symbol(callee)];
        const bool is_own = is_address_of_future(gimple_call_arg(at.statement, 0), object) &&
                            is_member_of_future(symbol) && !symbol.ends_with("E5shareEv");
        return !is_own;
    });
}

/// What std::move(address) has been handed.
tree TurnUses::unmoved(tree address) {
    const Located* made = is_local_name(address) ? values_.only_definition(address) : nullptr;
    const tree callee = made != nullptr && is_gimple_call(made->statement)
                            ? gimple_call_fndecl(made->statement)
                            : NULL_TREE;
    const bool is_move =
        callee != NULL_TREE && is_std_move(gathering_.unit.strings[gathering_.symbol(callee)]);
    return is_move ? gimple_call_arg(made->statement, 0) : address;
}

/// The call that has started the thread of the future at `address`.
std::optional<LocatedCall> TurnUses::maker_of_future(tree address) {
    for (int depth = 0; depth < kMostFutureMoves && address != NULL_TREE; ++depth) {
        address = unmoved(address);
        const tree object =
            TREE_CODE(address) == ADDR_EXPR ? future_around(TREE_OPERAND(address, 0)) : NULL_TREE;
        const VariableUse* use =
            object != NULL_TREE && VAR_P(object) ? source_.use_of(object) : nullptr;
        if (use == nullptr) return std::nullopt;
        std::vector<Located> makers = use->definitions;
        for (const Located& at : use->handed_over) {
            if (is_address_of_future(gimple_call_arg(at.statement, 0), object))
                makers.push_back(at);
        }
        std::vector<LocatedCall> started;
        for (const Located& at : makers) {
            const tree callee =
                is_gimple_call(at.statement) ? gimple_call_fndecl(at.statement) : NULL_TREE;
            if (callee == NULL_TREE) return std::nullopt;
            const Callee& known = callees_.of(callee);
            if (known.kind == CalleeKind::StartThread)
                started.push_back({as_a<gcall*>(at.statement), &known, at.context});
        }
        if (!started.empty())
            return started.size() == 1 ? std::optional(started.front()) : std::nullopt;
        address = is_future(TREE_TYPE(object)) ? source_of_state(object) : NULL_TREE;
    }
    return std::nullopt;
}

}  // namespace mqinspect::thread_level::plugin
