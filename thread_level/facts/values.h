/// Walks over the values that facts speak of.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

/// In the name of a Local that is computed, "(hash%hash)": in front of what it is divided by.
inline constexpr char kRestOf = '%';

/// MpiArguments::level, a Constant, where the program chooses: this and the highest of the levels
/// that it chooses from.
inline constexpr std::int64_t kChosenLevel = 16;

inline bool contains(std::span<const StepId> steps, StepId step) {
    return std::find(steps.begin(), steps.end(), step) != steps.end();
}

/// What a member, "class::member", of a variable is called: "variable.member".
inline std::string name_of_member(std::string_view variable, std::string_view member) {
    const std::size_t colons = member.rfind("::");
    if (colons != std::string_view::npos) member.remove_prefix(colons + 2);
    return (std::string(variable) += '.') += member;
}

/// Behind the symbol of a function, and before the name of a variable of that, which is a lock that
/// members of objects point to. With Value::is_shared each call of the function has another one;
/// else one thread calls it, as far as the unit tells.
inline constexpr char kOfFunction = '/';

/// Whether it is "class::member", or as kOwnOfThread has it.
constexpr bool is_member_name(std::string_view name) {
    return name.find("::") != std::string_view::npos;
}

/// How guards, and what is handed over, call what a function writes to where its argument of that
/// position points, as if it were the result of a function of this name.
inline std::string name_of_answer(std::string_view function, unsigned position) {
    return (std::string(function) += '&') += std::to_string(position);
}

/// Whose answer that is; empty: it is no such name.
constexpr std::string_view asked_for(std::string_view name) {
    const std::size_t end = name.rfind('&');
    return end == std::string_view::npos ? std::string_view() : name.substr(0, end);
}

/// How a pointer is called that is an argument of a function: "function(0)".
inline std::string name_of_parameter(std::string_view function, unsigned position) {
    return ((std::string(function) += '(') += std::to_string(position)) += ')';
}

/// Whose argument that is; empty: it is no such name.
constexpr std::string_view handed_to(std::string_view name) {
    const std::size_t end = name.rfind('(');
    const bool is_one = end != std::string_view::npos && name.ends_with(')') &&
                        name.find_first_not_of("0123456789", end + 1) == name.size() - 1;
    return is_one && end + 2 < name.size() ? name.substr(0, end) : std::string_view();
}

/// How guards name a function if they hold only where that never returns: nobody comes from its
/// call.
inline std::string name_of_end(std::string_view function) {
    return std::string(function) += '!';
}

/// Which function that is; empty: it is no such name.
constexpr std::string_view ended_by(std::string_view name) {
    return name.ends_with('!') ? name.substr(0, name.size() - 1) : std::string_view();
}

/// In front of the symbol of a variable that each thread has for itself: how guards call it, like a
/// member of a class, where several units have it. See Unit::numbers.
inline constexpr std::string_view kOwnOfThread = "(thread)::";

/// How Unit::numbers calls such a variable that is not 0 where the number of the thread is.
inline std::string name_of_flag(std::string_view variable) {
    return std::string(variable) += '?';
}

/// And one of those that may be 0 there, too.
inline std::string name_of_partial_flag(std::string_view variable) {
    return name_of_flag(variable) += '?';
}

/// Whether it says what level is provided, or keeps how many threads teams have, or a rank or size.
constexpr bool is_level_flag(const Variable& variable) {
    return variable.level_if_true != 0 || variable.level_if_false != 0;
}

/// Of both sides of a flag: whether it is the rank or size of a communicator, as all threads are
/// told it.
constexpr bool is_told(std::int8_t if_true, std::int8_t if_false) {
    return if_true == kTold && if_false == kTold;
}

/// What a flag says by what is written to it at two places; see Variable.
constexpr std::int8_t level_of_both(std::int8_t a, std::int8_t b) {
    if (a == kNeverSo || a == b) return b;
    return b == kNeverSo ? a : std::int8_t{0};
}

/// Of a ThreadNumber: another one for each thread, not whether it is 0, and no index.
constexpr bool is_number_or_sum(const Value& value) {
    return value.number != kIsZero && value.number != kIsNotZero && value.number != kIndexOfLoop;
}

/// Of an element: each thread goes through a loop by itself that counts its index.
constexpr bool is_counted_by_each(const Value& value) {
    return value.kind == Value::Kind::Element && value.number > kCountedByEach - kMostFirst &&
           value.number < kCountedByEach + kMostFirst;
}

/// Of an element: the index is the number of the thread, and something more or less.
constexpr bool is_shifted_by_thread(const Value& value) {
    return value.kind == Value::Kind::Element && value.number > kByThread - kMostFirst &&
           value.number < kByThread + kMostFirst;
}

/// Of an element: each thread has another one.
constexpr bool is_element_of_thread(const Value& value) {
    return value.kind == Value::Kind::Element && (value.number == 1 || is_shifted_by_thread(value));
}

/// Of an element: by the number of the thread that has made the task around the step.
constexpr bool is_element_of_maker(const Value& value) {
    return value.kind == Value::Kind::Element && value.number == 1 && value.is_shared;
}

/// Of an element: some threads have the same one.
constexpr bool is_shared_by_threads(const Value& value) {
    return value.kind == Value::Kind::Element && value.number > kSharedByThreads;
}

/// Of an element: a loop counts its index.
constexpr bool is_counted_element(const Value& value) {
    return value.kind == Value::Kind::Element &&
           (value.number == kCounted || value.number == kCountedFromUnknown ||
            is_counted_by_each(value));
}

/// As it was handed in, and not a part of it.
constexpr bool is_whole_parameter(const Value& value) {
    return value.kind == Value::Kind::Parameter && value.name == 0;
}

/// Of a communicator.
inline bool is_of_this_process(const Value& value, const Strings& strings) {
    return value.kind == Value::Kind::Predefined && strings[value.name] == "MPI_COMM_SELF";
}

/// Of a communicator that MPI predefines: what Variable::constant has of members that are it.
constexpr std::int64_t identity_of_predefined(std::string_view name) {
    return static_cast<std::int64_t>(hash_of(name) & 0xffff'ffffU);
}

/// Of an argument, in itself: one for all threads of the team.
constexpr bool is_same_for_all(const Value& value) {
    return value.kind == Value::Kind::SameForAll ||
           (value.kind == Value::Kind::Local && value.number == kSameForAll);
}

/// But for its arguments.
template <class AnyStep, class Visitor>
void for_each_operand(AnyStep& step, Visitor visit) {
    visit(step.value);
    visit(step.callee);
    visit(step.mpi.communicator);
    visit(step.mpi.peer);
    visit(step.mpi.tag);
    visit(step.mpi.object);
    visit(step.mpi.level);
}

template <class AnyRegion, class Visitor>
void for_each_value_of_region(AnyRegion& region, Visitor visit) {
    visit(region.tested);
    visit(region.limit);
    for (auto& dependence : region.dependences)
        visit(dependence.on);
}

/// In the result, regions and steps; `function` may be const.
template <class AnyFunction, class Visitor>
void for_each_value(AnyFunction& function, Visitor visit) {
    visit(function.result);
    for (auto& region : function.regions)
        for_each_value_of_region(region, visit);
    for (auto& step : function.steps) {
        for_each_operand(step, visit);
        for (auto& argument : step.arguments)
            visit(argument);
    }
}

/// Not an argument, but what number the argument in front points to.
inline bool is_number_pointed_to(const Value& value) {
    return value.kind == Value::Kind::Counted && value.is_shared && !value.created_once;
}

/// The object that the argument points to has the number, and no other one of the program; nor has
/// it two threads.
inline bool is_number_of_object(const Value& value) {
    return value.kind == Value::Kind::Counted && value.is_shared && value.created_once;
}

/// Of a member "class::member" that a function is handed in.
inline std::int64_t member_number(std::string_view member) {
    return kIdleFunction + 1 + std::int64_t{idle_hash(member)};
}

/// Not an argument, but a function in a member of what the first argument points to.
inline bool is_member_function(const Value& value) {
    return value.kind == Value::Kind::Function && value.is_shared;
}

/// There is nothing to say about the function that is handed over.
inline void mark_idle_function(Value& function) {
    if (function.is_shared) {
        function.name = 0;
    } else {
        function.number = kIdleFunction;
    }
}

/// Of the variables with static storage that values of the functions name, or may name a part of.
inline std::unordered_set<StringId> named_variables(const std::vector<Function>& functions,
                                                    const Strings& strings) {
    std::unordered_set<StringId> names;
    const auto add = [&](const Value& value) {
        const bool is_member = value.kind == Value::Kind::Parameter && value.name != 0;
        if (value.kind != Value::Kind::Global && value.kind != Value::Kind::Element && !is_member)
            return;
        if (!names.insert(value.name).second) return;
        const std::string_view name = strings[value.name];
        for (auto dot = name.find('.'); dot != std::string_view::npos;
             dot = name.find('.', dot + 1))
            names.insert(strings.find(name.substr(0, dot)));
    };
    for (const Function& function : functions)
        for_each_value(function, add);
    return names;
}

}  // namespace mqinspect::thread_level
