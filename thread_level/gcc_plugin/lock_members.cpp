#include "thread_level/gcc_plugin/lock_members.h"

#include <algorithm>

namespace mqinspect::thread_level::plugin {
namespace {

bool points_to_lock(tree type) {
    return POINTER_TYPE_P(type) && is_lock_type(TREE_TYPE(type));
}

/// With the object, without what there may be of variable arguments.
std::size_t parameters_of(tree method) {
    std::size_t count = 0;
    for (tree type = TYPE_ARG_TYPES(TREE_TYPE(method));
         type != NULL_TREE && TREE_VALUE(type) != void_type_node;
         type = TREE_CHAIN(type))
        ++count;
    return count;
}

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

/// What a member is, in `method`.
Value in_method(const Value& member, tree method) {
    Value value = member;
    if (value.kind != Value::Kind::Parameter || DECL_CXX_CONSTRUCTOR_P(method)) return value;
    value.number += static_cast<std::int64_t>(parameters_of(method)) - 1;
    return value;
}

}  // namespace

void note_lock_members(Gathering& gathering, SourceWalk& source, Values& values) {
    if (!DECL_CXX_CONSTRUCTOR_P(current_function_decl)) return;
    for (const Located& at : source.pointer_writes) {
        const tree member = gimple_assign_lhs(at.statement);
        const tree object = TREE_OPERAND(member, 0);
        if (!points_to_lock(TREE_TYPE(member)) || TREE_CODE(object) != MEM_REF ||
            TREE_OPERAND(object, 0) != DECL_ARGUMENTS(current_function_decl))
            continue;
        Value value = is_copying(at.statement)
                          ? values.of(gimple_assign_rhs1(at.statement), at.context)
                          : Value{};
        const bool is_handed = value.kind == Value::Kind::Parameter && value.name == 0 &&
                               value.number <= kMostConstructorArguments;
        if (!is_handed && value.kind != Value::Kind::Global) value = {};
        const auto [known, is_new] =
            gathering.lock_members.try_emplace(gathering.intern(member_name(member)), value);
        if (!is_new && known->second != value) known->second = {};
    }
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
    if (gathering.lock_members.empty()) return;
    for (FunctionId id = 0; id < gathering.unit.functions.size(); ++id) {
        const tree method = gathering.declarations[id];
        if (!is_method(method)) continue;
        const auto settle = [&](Value& value) {
            if (value.kind != Value::Kind::Parameter || value.number != 0 || value.name == 0)
                return;
            const auto member = gathering.lock_members.find(value.name);
            if (member != gathering.lock_members.end() &&
                member->second.kind != Value::Kind::Unknown)
                value = in_method(member->second, method);
        };
        for (Step& step : gathering.unit.functions[id].steps) {
            settle(step.value);
            for (Value& argument : step.arguments)
                settle(argument);
        }
    }
}

}  // namespace mqinspect::thread_level::plugin
