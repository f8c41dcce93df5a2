#include "thread_level/gcc_plugin/returned_objects.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "thread_level/facts/library_functions.h"
#include "thread_level/facts/values.h"
#include "thread_level/gcc_plugin/lock_types.h"
#include "thread_level/gcc_plugin/thread_numbers.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kMostCalls = 8;           // that hand on what others return
constexpr unsigned kMostArguments = 4;  // that tell calls of a function apart

Value element(StringId name, std::int64_t number = 0) {
    Value value;
    value.kind = Value::Kind::Element;
    value.name = name;
    value.number = number;
    return value;
}

/// Another one each time: of no function, but new.
Value new_object(Gathering& gathering) {
    return element(gathering.intern(kResult), kCounted);
}

/// What the same call with the same arguments has in common.
std::string text_of(const Gathering& gathering, const ReturnedObject& returned) {
    const Strings& strings = gathering.unit.strings;
    std::string text = strings[returned.function] + '(';
    for (const Value& argument : returned.arguments) {
        text += std::to_string(static_cast<int>(argument.kind)) + ':' + strings[argument.name] +
                ':' + std::to_string(argument.number) + ',';
    }
    return text + ')';
}

/// What a function returns is told apart by what it is called with only if that has an object.
std::vector<Value> object_arguments(Values& values, const gcall* call, ContextId context) {
    std::vector<Value> arguments;
    const unsigned count = std::min(gimple_call_num_args(call), kMostArguments);
    for (unsigned i = 0; i < count; ++i) {
        const tree argument = gimple_call_arg(call, i);
        arguments.push_back(
            points_to_object(TREE_TYPE(argument)) ? values.object_at(argument, context) : Value{});
    }
    return arguments;
}

/// By units that have not got it.
bool is_asked_elsewhere(tree function) {
    return TREE_PUBLIC(function) && !DECL_COMDAT(function) && !DECL_WEAK(function);
}

/// Than to return what it knows.
bool does_nothing_else(const SourceWalk& source) {
    constexpr std::size_t most_assignments = 6;
    return source.returns.size() == 1 && source.any_calls.empty() && source.conditions.empty() &&
           source.switches.empty() && source.constructs.empty() &&
           source.assignments.size() <= most_assignments;
}

Value number_of(Values& values, tree result) {
    if (result == NULL_TREE) return {};
    const Value member = number_in_parameter(values, result, 0, true);
    return member.kind == Value::Kind::Parameter ? member : values.of(result, 0);
}

bool may_be_one_object(const Gathering& gathering, const Value& result) {
    return result.kind == Value::Kind::Global || gathering.returned_objects.contains(result.name);
}

/// Puts a name in place of what `call` returns.
std::optional<Value> name_of_call(Values& values,
                                  const gcall* call,
                                  ContextId context,
                                  const Value& otherwise) {
    Gathering& gathering = values.gathering();
    ReturnedObject returned;
    returned.function = gathering.symbol(gimple_call_fndecl(call));
    if (is_of_standard_library(gathering.unit.strings[returned.function])) return std::nullopt;
    returned.arguments = object_arguments(values, call, context);
    std::string name = text_of(gathering, returned);
    if (otherwise.kind == Value::Kind::Local) {
        name = gathering.unit.strings[otherwise.name] + (otherwise.is_shared ? "=!" : "=") + name;
    }
    const tree type = TREE_TYPE(gimple_call_lhs(call));
    returned.otherwise = otherwise;
    returned.is_lock = !POINTER_TYPE_P(type) || points_to_lock(type);
    const StringId id = gathering.intern(name);
    gathering.returned_objects.try_emplace(id, std::move(returned));
    return element(id);
}

/// Puts results in place of the names that values have of them.
class Settling {
public:
    explicit Settling(Gathering& gathering) : gathering_(gathering) {}

    /// `frame`: what the parameters are of the function that `value` is of; null: itself.
    Value settled(Value value, const std::vector<Value>* frame, int depth = 0) const {
        if (value.kind == Value::Kind::Parameter && frame != nullptr) return handed(value, *frame);
        if (value.kind != Value::Kind::Element) return value;
        const auto found = gathering_.returned_objects.find(value.name);
        if (found == gathering_.returned_objects.end()) return value;
        const ReturnedObject& returned = found->second;
        const Value object = result_of(returned, frame, depth);
        return returned.member.empty() || object.kind == Value::Kind::Unknown
                   ? object
                   : member_of(object, returned.member);
    }

private:
    Value handed(const Value& parameter, const std::vector<Value>& frame) const {
        const auto position = static_cast<std::size_t>(parameter.number);
        const Value object = position < frame.size() ? frame[position] : Value{};
        return parameter.name == 0 ? object
                                   : member_of(object, gathering_.unit.strings[parameter.name]);
    }

    Value result_of(const ReturnedObject& returned,
                    const std::vector<Value>* frame,
                    int depth) const {
        const auto result = gathering_.results.find(returned.function);
        const Value unknown = element(
            gathering_.intern(gathering_.unit.strings[returned.function] + std::string(kResult)));
        if (result == gathering_.results.end() || depth == kMostCalls) return unknown;
        const bool is_new =
            result->second.kind == Value::Kind::Local || result->second == new_object(gathering_);
        if (is_new) return returned.otherwise;
        std::vector<Value> arguments;
        for (const Value& argument : returned.arguments)
            arguments.push_back(settled(argument, frame, depth + 1));
        const Value object = settled(result->second, &arguments, depth + 1);
        // Which element it is, only the function knows.
        if (object == new_object(gathering_)) return returned.otherwise;
        if (object.kind == Value::Kind::Element) return element(object.name);
        return object.kind == Value::Kind::Unknown ? unknown : object;
    }

    Value member_of(Value object, const std::string& member) const {
        const StringId name = gathering_.intern(member);
        switch (object.kind) {
            case Value::Kind::Global:
            case Value::Kind::Local:
                object.name =
                    gathering_.intern(name_of_member(gathering_.unit.strings[object.name], member));
                object.created_once = false;
                return object;
            case Value::Kind::Parameter:
                if (object.name != 0) return element(name);
                object.name = name;
                return object;
            case Value::Kind::Element:
                if (gathering_.unit.strings[object.name].ends_with(kResult)) {
                    return element(gathering_.intern(
                        name_of_member(gathering_.unit.strings[object.name], member)));
                }
                return element(name);
            default:
                return element(name);
        }
    }

    Gathering& gathering_;
};

/// One or the other object says no more than nothing where it is handed over; a lock does.
void settle(const Gathering& gathering, const Settling& settling, Function& function) {
    for (Step& step : function.steps) {
        for (Value& argument : step.arguments) {
            const auto returned = gathering.returned_objects.find(argument.name);
            if (argument.kind != Value::Kind::Element ||
                returned == gathering.returned_objects.end())
                continue;
            argument = settling.settled(argument, nullptr);
            const bool is_any = argument.kind == Value::Kind::Element && argument.number == 0;
            const bool is_some =
                is_any && (!returned->second.is_handed ||
                           gathering.unit.strings[argument.name].ends_with(kResult));
            if (is_some && !returned->second.is_lock) argument = {};
        }
    }
    for_each_value(function, [&](Value& value) { value = settling.settled(value, nullptr); });
}

}  // namespace

bool points_to_object(tree type) {
    if (!POINTER_TYPE_P(type)) return false;
    const tree object = TREE_TYPE(type);
    return is_lock_type(object) || (RECORD_OR_UNION_TYPE_P(object) && !is_handle_type(object));
}

std::optional<Value> returned_object(Values& values,
                                     const gcall* call,
                                     ContextId context,
                                     const Value& variable) {
    const tree function = gimple_call_fndecl(call);
    const tree result = gimple_call_lhs(call);
    if (function == NULL_TREE || result == NULL_TREE || !POINTER_TYPE_P(TREE_TYPE(result)))
        return std::nullopt;
    const bool is_variable = variable.kind == Value::Kind::Local;
    const Value otherwise = is_variable ? variable : new_object(values.gathering());
    if ((flags_from_decl_or_type(function) & ECF_MALLOC) != 0) return otherwise;
    if (!points_to_object(TREE_TYPE(result))) return std::nullopt;
    return name_of_call(values, call, context, otherwise);
}

std::optional<Value> returned_guard(Values& values, tree guard) {
    const Located* definition = values.only_assignment(guard);
    if (definition == nullptr || !is_gimple_call(definition->statement) ||
        gimple_call_fndecl(definition->statement) == NULL_TREE)
        return std::nullopt;
    const auto* call = as_a<const gcall*>(definition->statement);
    return name_of_call(values, call, definition->context, {});
}

StringId name_of_handed(Gathering& gathering, tree function, unsigned position) {
    return gathering.intern(gathering.unit.strings[gathering.symbol(function)] + '#' +
                            std::to_string(position));
}

std::optional<Value> handed_to_returned(Values& values, tree variable, unsigned position) {
    const auto object = returned_guard(values, variable);
    if (!object) return std::nullopt;
    Gathering& gathering = values.gathering();
    ReturnedObject handed = gathering.returned_objects.at(object->name);
    const Located* definition = values.only_assignment(variable);
    const tree function = gimple_call_fndecl(definition->statement);
    handed.function = name_of_handed(gathering, function, position);
    handed.is_lock = false;
    handed.is_handed = true;
    const StringId id = gathering.intern(text_of(gathering, handed));
    gathering.returned_objects.try_emplace(id, std::move(handed));
    return element(id);
}

std::optional<Value> returned_number(Values& values, tree argument) {
    constexpr int most_copies = 4;
    tree number = strip(argument);
    if (TREE_CODE(number) == ADDR_EXPR) number = TREE_OPERAND(number, 0);
    for (int copies = 0; copies < most_copies && is_local_name(number); ++copies) {
        const Located* made = values.only_assignment(number);
        if (made == nullptr) return std::nullopt;
        if (is_gimple_call(made->statement)) {
            const tree function = gimple_call_fndecl(made->statement);
            const cgraph_node* node = function == NULL_TREE ? nullptr : cgraph_node::get(function);
            if (node == nullptr || !node->definition) return std::nullopt;
            const auto* call = as_a<const gcall*>(made->statement);
            return name_of_call(values, call, made->context, {});
        }
        if (!is_copying(made->statement)) return std::nullopt;
        number = strip(gimple_assign_rhs1(made->statement));
    }
    return std::nullopt;
}

std::optional<Value> member_of_returned(Gathering& gathering,
                                        const Value& object,
                                        const std::string& member) {
    if (object.kind != Value::Kind::Element) return std::nullopt;
    const auto found = gathering.returned_objects.find(object.name);
    if (found == gathering.returned_objects.end() || !found->second.member.empty())
        return std::nullopt;
    ReturnedObject returned = found->second;
    returned.member = member;
    const StringId id = gathering.intern(gathering.unit.strings[object.name] + '.' + member);
    gathering.returned_objects.try_emplace(id, std::move(returned));
    return element(id);
}

bool note_result(Gathering& gathering, SourceWalk& source, Values& values) {
    const tree function = current_function_decl;
    if (INTEGRAL_TYPE_P(TREE_TYPE(TREE_TYPE(function))) && does_nothing_else(source)) {
        const tree result = gimple_return_retval(as_a<greturn*>(source.returns.front()));
        gathering.results.insert_or_assign(gathering.symbol(function), number_of(values, result));
        return false;
    }
    if (!points_to_object(TREE_TYPE(TREE_TYPE(function))) || source.returns.empty()) return false;
    const StringId symbol = gathering.symbol(function);
    if (is_of_standard_library(gathering.unit.strings[symbol])) return false;
    std::optional<Value> result;
    for (gimple* statement : source.returns) {
        const tree operand = gimple_return_retval(as_a<greturn*>(statement));
        const Value one = values.of(operand, 0);
        if (!result) result = one;
        if (*result != one) result = Value{};
    }
    gathering.results.insert_or_assign(symbol, *result);
    return is_asked_elsewhere(function) && may_be_one_object(gathering, *result);
}

void settle_returned_objects(Gathering& gathering) {
    const Settling settling(gathering);
    for (auto& [member, value] : gathering.lock_members)
        value = settling.settled(value, nullptr);
    if (!gathering.returned_objects.empty()) {
        for (Function& function : gathering.unit.functions)
            settle(gathering, settling, function);
    }
    for (FunctionId id = 0; id < gathering.unit.functions.size(); ++id) {
        const tree declaration = gathering.declarations[id];
        Function& function = gathering.unit.functions[id];
        const auto result = gathering.results.find(function.symbol);
        if (result == gathering.results.end() || !is_asked_elsewhere(declaration)) continue;
        if (INTEGRAL_TYPE_P(TREE_TYPE(TREE_TYPE(declaration)))) continue;
        const Value object = settling.settled(result->second, nullptr);
        if (object.kind == Value::Kind::Global) function.result = object;
    }
}

}  // namespace mqinspect::thread_level::plugin
