/// What follows from facts alone, for all that reads them.
#pragma once

#include <vector>

#include "thread_level/facts/facts.h"
#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {

/// Whether a construct in which nothing happens still says something: that there are threads, that
/// they wait for each other, or that one thread's regions nest.
inline bool speaks_by_itself(const Region& region) {
    switch (region.kind) {
        case RegionKind::Parallel:
        case RegionKind::Teams:
        case RegionKind::Single:
        case RegionKind::Master:
        case RegionKind::Masked:
        case RegionKind::Loop:
        case RegionKind::Sections:
        case RegionKind::Scope:
            return true;
        case RegionKind::Task:
            return !region.dependences.empty();
        case RegionKind::Function:
        case RegionKind::Section:
        case RegionKind::Ordered:
        case RegionKind::Critical:
        case RegionKind::Taskloop:
        case RegionKind::Taskgroup:
        case RegionKind::Guard:
            break;
    }
    return false;
}

/// Whether it is a guard on what is left of a parameter, divided by a constant.
inline bool asks_for_remainder(const Region& region) {
    return region.condition == Condition::ArgumentIs && region.limit.kind == Value::Kind::Constant;
}

/// Whether it is a guard that compares a parameter of the function with a number.
inline bool compares_argument(const Region& region) {
    return (region.condition == Condition::ArgumentIs ||
            region.condition == Condition::ArgumentIsNot) &&
           is_whole_parameter(region.tested) && !asks_for_remainder(region);
}

/// Whether it is a guard that a constant number may rule out which a call hands over.
inline bool asks_argument(const Region& region) {
    const bool is_other = region.condition == Condition::ArgumentIsPositive ||
                          region.condition == Condition::ArgumentIsNotPositive ||
                          region.condition == Condition::ArgumentIsOrLeftOut;
    if (region.number >= kFirstText) return false;
    return compares_argument(region) || (is_other && is_whole_parameter(region.tested) &&
                                         region.limit.kind == Value::Kind::Unknown);
}

/// Whether what such a guard asks for may hold of that constant.
constexpr bool may_hold(Condition asked, std::int64_t number, std::int64_t handed) {
    constexpr std::int64_t most = 127;  // which any type has
    const bool is_equal = handed == number;
    switch (asked) {
        case Condition::ArgumentIs:
            return is_equal;
        case Condition::ArgumentIsNot:
            return !is_equal;
        case Condition::ArgumentIsOrLeftOut:
            return is_equal || handed == kNull;
        case Condition::ArgumentIsPositive:
            return handed > number || handed < 0;
        case Condition::ArgumentIsNotPositive:
            return handed <= number || handed > most;
        default:
            return true;
    }
}

/// Whether it is a guard around what makes a static variable of a function.
inline bool makes_static(const Region& region) {
    return region.condition == Condition::DrewNumber && region.number == kOnce;
}

/// Whether it is a guard that has found a variable without a thread.
inline bool finds_no_thread(const Region& region) {
    return region.condition == Condition::NoThread;
}

/// Whether it is the start of a thread that is put into the variable of such a guard around it, or
/// the call of what makes an object with such.
inline bool is_kept_start(const Step& step) {
    return step.kind == StepKind::StartThread ? step.is_conditional : step.fills_variable;
}

/// Whether a guard's condition does not hold any more once what is in it has initialized MPI, or
/// started the thread.
inline bool is_until_initialized(const Region& region) {
    return region.condition == Condition::NotInitialized || makes_static(region) ||
           finds_no_thread(region);
}

/// Whether it is what `if (!is_initialized())` guards, if that function asks whether MPI is.
inline bool may_ask_for_initialized(const Region& region) {
    return region.kind == RegionKind::Guard && region.condition == Condition::ThreadIsZero &&
           region.wrapper != 0 && region.tested.kind == Value::Kind::Unknown &&
           region.limit.kind == Value::Kind::Unknown;
}

/// What the way past `guard` says, which is of one of these kinds.
inline Condition past_of(const Region& guard) {
    if (may_ask_for_initialized(guard)) return Condition::ThreadIsNotZero;
    return guard.condition == Condition::NotInitialized ? Condition::Initialized
                                                        : Condition::MadeBefore;
}

/// Whether it is of the way past `guard`, which is of one of these kinds.
inline bool is_past(const Region& region, const Region& guard) {
    return region.condition == past_of(guard) && region.wrapper == guard.wrapper &&
           region.parent == guard.parent && region.place == guard.place;
}

/// Whether it is a guard that compares what all threads of the team have in common.
inline bool compares_common(const Region& region) {
    return (region.condition == Condition::ArgumentIs ||
            region.condition == Condition::ArgumentIsNot) &&
           region.tested.kind == Value::Kind::Local;
}

/// Whether one of two tasks that one thread makes waits for the other: by "depend" clauses on what
/// `is_one` says is the same for both.
template <class IsOne>
bool depends(const Region& a, const Region& b, IsOne is_one) {
    for (const Dependence& first : a.dependences) {
        for (const Dependence& second : b.dependences) {
            const bool are_same = first.on == second.on && is_one(first.on);
            if (are_same && (first.writes || second.writes)) return true;
        }
    }
    return false;
}

/// By clauses on one and the same variable.
inline bool depends(const Region& a, const Region& b) {
    return depends(a, b, [](const Value& on) {
        return on.kind == Value::Kind::Global || on.kind == Value::Kind::Local ||
               on.kind == Value::Kind::Parameter;
    });
}

/// Marks all that use what is marked, directly or not. `users`: of each function.
inline void mark_users(std::vector<bool>& marked,
                       const std::vector<std::vector<FunctionId>>& users) {
    std::vector<FunctionId> open;
    for (FunctionId id = 0; id < marked.size(); ++id)
        if (marked[id]) open.push_back(id);
    while (!open.empty()) {
        const FunctionId id = open.back();
        open.pop_back();
        for (const FunctionId user : users[id]) {
            if (marked[user]) continue;
            marked[user] = true;
            open.push_back(user);
        }
    }
}

}  // namespace mqinspect::thread_level
