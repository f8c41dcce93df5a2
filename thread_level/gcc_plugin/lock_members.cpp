#include "thread_level/gcc_plugin/lock_members.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "thread_level/gcc_plugin/constructed_locks.h"
#include "thread_level/gcc_plugin/guard_members.h"
#include "thread_level/gcc_plugin/lock_types.h"
#include "thread_level/gcc_plugin/made_locks.h"

namespace mqinspect::thread_level::plugin {
namespace {

bool is_method(tree function) {
    return function != NULL_TREE && TREE_CODE(TREE_TYPE(function)) == METHOD_TYPE;
}

/// The variable whose member is called; null: not known.
tree object_of(const gcall* call) {
    if (!is_method(gimple_call_fndecl(call)) || gimple_call_num_args(call) == 0) return NULL_TREE;
    const tree self = strip(gimple_call_arg(call, 0));
    if (TREE_CODE(self) != ADDR_EXPR) return NULL_TREE;
    const tree object = TREE_OPERAND(self, 0);
    return VAR_P(object) ? object : NULL_TREE;
}

/// What the member `name` is, in `method`.
Value in_method(const Value& member, StringId name, tree method) {
    Value value = member;
    if (value.kind != Value::Kind::Parameter || DECL_CXX_CONSTRUCTOR_P(method)) return value;
    value.number += static_cast<std::int64_t>(parameters_of(method)) - 1;
    value.name = name;
    value.is_shared = true;
    return value;
}

/// As an argument: members are known there by what is handed over only.
Value as_argument(Value value) {
    if (value.kind == Value::Kind::Parameter && value.is_shared) {
        value.name = 0;
        value.is_shared = false;
    }
    return value;
}

/// The name of the member that `value` is, of whatever object; 0: it is none.
StringId member_in(const Gathering& gathering, const Value& value) {
    const auto known = gathering.lock_member_of.find(value.name);
    if (known != gathering.lock_member_of.end()) return known->second;
    const bool is_member = value.kind == Value::Kind::Parameter ||
                           value.kind == Value::Kind::Element || value.kind == Value::Kind::Global;
    return is_member ? value.name : 0;
}

void note_lock(Gathering& gathering, StringId member, const Value& lock) {
    const auto [known, is_new] = gathering.lock_members.try_emplace(member, lock);
    if (!is_new && known->second != lock) known->second = {};
}

/// A local variable of `function`, taken for a static one.
Value as_static(Gathering& gathering, const Value& local, tree function) {
    Value value;
    value.kind = Value::Kind::Global;
    value.name = local.name;
    if (MAIN_NAME_P(DECL_NAME(function))) return value;
    const Strings& strings = gathering.unit.strings;
    const std::string name =
        strings[gathering.symbol(function)] + kOfFunction + strings[local.name];
    value.name = gathering.intern(name);
    return value;
}

/// Whether only one thread at a time executes the function, as far as the unit tells: then its
/// variables are as good as static ones.
bool is_executed_once(const Gathering& gathering, tree function) {
    if (MAIN_NAME_P(DECL_NAME(function))) return true;
    return has_main(gathering) && !gathering.team_writes.reached.contains(function);
}

/// A lock that a member is set to, as it may stay in it: Unknown if it is one or the other.
Value may_be_kept(Gathering& gathering, tree member, Value lock, ContextId context) {
    const tree object = TREE_OPERAND(member, 0);
    const tree function = current_function_decl;
    if (lock.kind == Value::Kind::Global || gathering.returned_objects.contains(lock.name))
        return lock;
    if (lock.kind == Value::Kind::Parameter) {
        const bool is_own = DECL_CXX_CONSTRUCTOR_P(function) && TREE_CODE(object) == MEM_REF &&
                            TREE_OPERAND(object, 0) == DECL_ARGUMENTS(function);
        const bool is_handed = lock.name == 0 && lock.number <= kMostConstructorArguments;
        return is_own && is_handed ? lock : Value{};
    }
    const bool is_one = lock.kind == Value::Kind::Local && (context == 0 || lock.is_shared);
    if (!is_one) return {};
    const Value kept = as_static(gathering, lock, function);
    gathering.local_locks.emplace(lock.name, function);
    return kept;
}

/// Unknown: not a variable with static storage, as a whole.
Value initial_lock(Gathering& gathering, tree initial) {
    Value lock;
    const tree object = initial != NULL_TREE && TREE_CODE(initial) == ADDR_EXPR
                            ? TREE_OPERAND(initial, 0)
                            : NULL_TREE;
    if (object == NULL_TREE || !VAR_P(object)) return lock;
    lock.kind = Value::Kind::Global;
    lock.name = gathering.symbol(object);
    return lock;
}

/// What else may be in such members: what static variables have at first.
void note_initial(Gathering& gathering, tree initial) {
    unsigned index = 0;
    tree field = NULL_TREE;
    tree value = NULL_TREE;
    if (initial == NULL_TREE || TREE_CODE(initial) != CONSTRUCTOR) return;
    FOR_EACH_CONSTRUCTOR_ELT(CONSTRUCTOR_ELTS(initial), index, field, value) {
        const bool is_member = field != NULL_TREE && TREE_CODE(field) == FIELD_DECL &&
                               DECL_NAME(field) != NULL_TREE && points_to_lock(TREE_TYPE(field));
        if (!is_member) {
            note_initial(gathering, value);
            continue;
        }
        if (integer_zerop(value)) continue;
        note_lock(gathering, gathering.intern(member_name(field)), initial_lock(gathering, value));
    }
}

void note_initial_locks(Gathering& gathering) {
    varpool_node* node = nullptr;
    FOR_EACH_VARIABLE(node) note_initial(gathering, DECL_INITIAL(node->decl));
}

/// The same of variables that point to a lock, if no other unit can write to them. What writes to
/// one in ways that are not known makes it another lock than all others.
void note_lock_pointers(Gathering& gathering) {
    for (const auto& [uid, use] : gathering.globals) {
        const tree pointer = use.declaration;
        if (!points_to_lock(TREE_TYPE(pointer)) || DECL_NAME(pointer) == NULL_TREE) continue;
        const StringId name = gathering.symbol(pointer);
        const Value first = initial_lock(gathering, DECL_INITIAL(pointer));
        const auto writes = gathering.lock_pointers.find(uid);
        const std::uint32_t known = writes == gathering.lock_pointers.end() ? 0 : writes->second;
        const bool is_kept =
            TREE_READONLY(pointer) || (!TREE_PUBLIC(pointer) && use.other_writes == known);
        if (!is_kept) {
            gathering.lock_members.erase(name);
        } else if (first.kind == Value::Kind::Global) {
            note_lock(gathering, name, first);
        }
    }
}

/// Who calls their functions, other units may know.
void settle_local_locks(Gathering& gathering) {
    std::unordered_map<StringId, Value> known;
    for (const auto& [name, function] : gathering.local_locks) {
        const Value lock =
            known_to_all(gathering, {.kind = Value::Kind::Local, .name = name}, function);
        known.emplace(lock.name, lock);
    }
    for (auto& [member, lock] : gathering.lock_members) {
        const auto found = known.find(lock.name);
        if (lock.kind != Value::Kind::Global || found == known.end()) continue;
        lock = gathering.locks_of_each.contains(lock.name) ? Value{} : found->second;
    }
}

/// Members that are what constructors are handed: if that is the same each time, they are that.
void settle_constructed_locks(Gathering& gathering) {
    ConstructedLocks locks(gathering);
    for (auto& [member, lock] : gathering.lock_members) {
        // What a guard takes it gives back, as what the caller hands over.
        if (lock.kind != Value::Kind::Parameter || gathering.guard_members.contains(member))
            continue;
        const auto& constructors = gathering.lock_constructors[member];
        std::optional<Value> handed;
        for (const StringId constructor : constructors) {
            const Value one = locks.handed(constructor, lock.number);
            if (!handed) handed = one;
            if (*handed != one) handed = Value{};
        }
        if (handed && handed->kind != Value::Kind::Unknown) lock = *handed;
    }
}

}  // namespace

Value known_to_all(Gathering& gathering, const Value& local, tree function) {
    Value value = as_static(gathering, local, function);
    value.is_shared = !is_executed_once(gathering, function);
    return value;
}

std::size_t parameters_of(tree method) {
    std::size_t count = 0;
    for (tree type = TYPE_ARG_TYPES(TREE_TYPE(method));
         type != NULL_TREE && TREE_VALUE(type) != void_type_node;
         type = TREE_CHAIN(type))
        ++count;
    return count;
}

void note_lock_in(
    Gathering& gathering, tree member, StringId name, const Value& lock, ContextId context) {
    const Value kept = may_be_kept(gathering, member, lock, context);
    note_lock(gathering, name, kept);
    if (kept.kind == Value::Kind::Parameter)
        gathering.lock_constructors[name].insert(gathering.symbol(current_function_decl));
}

void note_lock_members(Gathering& gathering, SourceWalk& source, Values& values) {
    const std::vector<Located> writes = source.pointer_writes;
    for (const Located& at : writes) {
        const tree member = gimple_assign_lhs(at.statement);
        if (!points_to_lock(TREE_TYPE(member))) continue;
        const StringId name = gathering.intern(member_name(member));
        const Value value = is_copying(at.statement)
                                ? values.of(gimple_assign_rhs1(at.statement), at.context)
                                : Value{};
        const bool is_null = value.kind == Value::Kind::Constant && value.number == 0;
        if (is_null || member_in(gathering, value) == name) continue;
        note_lock_in(gathering, member, name, value, at.context);
        if (value.kind == Value::Kind::Local) {
            const StringId lock = as_static(gathering, value, current_function_decl).name;
            note_made_lock(gathering, values, lock, gimple_assign_rhs1(at.statement), at.statement);
        }
    }
    for (gimple* statement : source.global_writes) {
        const tree pointer = gimple_assign_lhs(statement);
        if (!VAR_P(pointer) || !points_to_lock(TREE_TYPE(pointer))) continue;
        const Value value =
            is_copying(statement) ? values.of(gimple_assign_rhs1(statement), 0) : Value{};
        ++gathering.lock_pointers[DECL_UID(pointer)];
        const bool is_null = value.kind == Value::Kind::Constant && value.number == 0;
        if (is_null) continue;
        const Value lock = value.kind == Value::Kind::Global ? value : Value{};
        note_lock(gathering, gathering.symbol(pointer), lock);
    }
    for (const tree member : source.pointers_at) {
        if (points_to_lock(TREE_TYPE(member)))
            note_lock(gathering, gathering.intern(member_name(member)), {});
    }
    note_guard_members(gathering, source, values);
}

ConstructorCalls constructors_with_locks(const SourceWalk& source) {
    ConstructorCalls constructors;
    for (const LocatedCall& at : source.calls) {
        const tree object = object_of(at.call);
        if (object == NULL_TREE || !DECL_CXX_CONSTRUCTOR_P(gimple_call_fndecl(at.call))) continue;
        bool has_lock = false;
        for (unsigned i = 1; i < gimple_call_num_args(at.call); ++i)
            has_lock = has_lock || points_to_lock(TREE_TYPE(gimple_call_arg(at.call, i)));
        if (!has_lock) continue;
        const auto [known, is_new] = constructors.try_emplace(DECL_UID(object), &at);
        if (!is_new) known->second = nullptr;
    }
    return constructors;
}

void add_constructor_arguments(const ConstructorCalls& constructors,
                               Values& values,
                               const LocatedCall& at,
                               std::vector<Value>& arguments) {
    const tree object = constructors.empty() ? NULL_TREE : object_of(at.call);
    if (object == NULL_TREE || DECL_CXX_CONSTRUCTOR_P(gimple_call_fndecl(at.call))) return;
    const auto found = constructors.find(DECL_UID(object));
    if (found == constructors.end() || found->second == nullptr) return;
    const LocatedCall& constructor = *found->second;
    const unsigned count =
        std::min<unsigned>(gimple_call_num_args(constructor.call), kMostConstructorArguments + 1);
    const std::size_t behind = parameters_of(gimple_call_fndecl(at.call));
    for (unsigned i = 1; i < count; ++i) {
        const tree lock = gimple_call_arg(constructor.call, i);
        if (!points_to_lock(TREE_TYPE(lock))) continue;
        const std::size_t position = behind + i - 1;
        if (arguments.size() <= position) arguments.resize(position + 1);
        arguments[position] = values.of(lock, constructor.context);
    }
}

void settle_lock_members(Gathering& gathering) {
    note_lock_pointers(gathering);
    if (gathering.lock_members.empty() && gathering.guard_members.empty()) return;
    note_initial_locks(gathering);
    settle_local_locks(gathering);
    settle_constructed_locks(gathering);
    for (FunctionId id = 0; id < gathering.unit.functions.size(); ++id) {
        const tree declaration = gathering.declarations[id];
        const auto settle = [&](Value& value) {
            const auto local = value.kind == Value::Kind::Local
                                   ? gathering.local_locks.find(value.name)
                                   : gathering.local_locks.end();
            if (local != gathering.local_locks.end() && local->second == declaration)
                value = known_to_all(gathering, value, declaration);
            const StringId name = member_in(gathering, value);
            const auto member = gathering.lock_members.find(name);
            const bool is_in_guard = gathering.guard_members.contains(name);
            if (member == gathering.lock_members.end()) {
                if (is_in_guard) value = {};
                return;
            }
            const Value& lock = member->second;
            const bool is_of_guard = lock.kind == Value::Kind::Parameter &&
                                     is_method(declaration) &&
                                     value.kind == Value::Kind::Parameter && value.number == 0;
            if (is_of_guard || lock.kind == Value::Kind::Global ||
                lock.kind == Value::Kind::Element) {
                value = in_method(lock, member->first, declaration);
            } else if (is_in_guard) {
                value = {};
            }
        };
        for (Step& step : gathering.unit.functions[id].steps) {
            settle(step.value);
            for (Value& argument : step.arguments) {
                settle(argument);
                argument = as_argument(argument);
            }
            while (!step.arguments.empty() && step.arguments.back() == Value{})
                step.arguments.pop_back();
        }
    }
}

}  // namespace mqinspect::thread_level::plugin
