#include "thread_level/analysis/handles.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>

#include "thread_level/analysis/loops.h"
#include "thread_level/analysis/states.h"
#include "thread_level/facts/pointed_members.h"
#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {
namespace {

constexpr int kMostCallsUp = 4;
constexpr std::size_t kMostCallersOfOne = 16;

bool is_parameter(const Operand& operand) {
    return operand.value.kind == Value::Kind::Parameter;
}

bool is_same_parameter(const Operand& a, const Operand& b) {
    return a.owner == b.owner && a.value == b.value;
}

/// Elements of an array, or of a variable that is one.
struct Part {
    std::string_view array;
    std::int64_t first = 0;
    std::int64_t end = 1;  ///< behind the last one
};

/// "requests.2" is one of an array, or the first of those that are waited for.
Part part_of(const Value& value, const Strings& strings) {
    const std::string_view name = strings[value.name];
    Part part{.array = name};
    const std::size_t dot = name.rfind('.');
    if (dot != std::string_view::npos) {
        std::int64_t index = 0;
        const char* const end = name.data() + name.size();
        const auto read = std::from_chars(name.data() + dot + 1, end, index);
        if (read.ec == std::errc() && read.ptr == end)
            part = {.array = name.substr(0, dot), .first = index};
    }
    part.end = value.number == kWholeArray ? std::numeric_limits<std::int64_t>::max()
                                           : part.first + std::max<std::int64_t>(value.number, 1);
    return part;
}

bool overlap(const Part& a, const Part& b) {
    return a.array == b.array && a.first < b.end && b.first < a.end;
}

/// Whether there are elements of two threads, or the first one of a loop.
bool has_first_of(const Part& part, const Value& element) {
    const auto has = [&](std::int64_t index) { return index >= part.first && index < part.end; };
    if (is_counted_by_each(element)) return has(element.number - kCountedByEach);
    const std::int64_t index = element.number - kByThread;
    return is_shifted_by_thread(element) && has(index) && has(index + 1);
}

/// Whether all the time there is but one request in a static variable: main() starts it, and nobody
/// else writes there.
bool is_started_once(const Program& program, StringId request) {
    const Variable* variable = program.variable(request);
    if (variable == nullptr || variable->creations != 1 || variable->other_writes != 0)
        return false;
    for (FunctionId id = 0; id < program.unit().functions.size(); ++id) {
        if (!program.is_main(id)) continue;
        const std::span<const Step> steps = program.steps(id);
        const StepId start =
            only_start_of(steps, program.unit().strings, Value::Kind::Global, request);
        if (start != kNone) return !is_in_loop(steps, start);
    }
    return false;
}

}  // namespace

Operand argument_for(const Operand& parameter, const Step& call, FunctionId caller) {
    const auto number = static_cast<std::size_t>(parameter.value.number);
    const StringId field = parameter.value.name;
    Value value = number < call.arguments.size() ? call.arguments[number] : Value();
    if (field == 0) return {.value = value, .owner = caller};
    if (is_whole_parameter(value)) {
        value.name = field;
        return {.value = value, .owner = caller};
    }
    if (value.kind == Value::Kind::Global || value.kind == Value::Kind::Local)
        return {.value = value, .owner = caller, .field = field};
    Value one_or_the_other;
    one_or_the_other.kind = Value::Kind::Element;
    one_or_the_other.name = field;
    return {.value = one_or_the_other, .owner = caller};
}

bool is_same_index(const Operand& a, const Operand& b) {
    return is_counted_element(a.value) && is_counted_element(b.value) &&
           a.value.name == b.value.name && a.owner == b.owner && a.field == b.field;
}

Sameness Handles::compare(const Operand& a, const Operand& b, bool is_one_call, int depth) const {
    if (!is_parameter(a) && !is_parameter(b)) return compare_known(a, b, is_one_call);
    if (!is_one_call) {
        const Operand first = fixed(a, depth);
        const Operand second = fixed(b, depth);
        if (is_parameter(first) && is_same_parameter(first, second)) return Sameness::Same;
        return compare_known(first, second, false);
    }
    if (is_parameter(a) && is_same_parameter(a, b)) return Sameness::Same;
    return compare_by_callers(a, b, depth);
}

Sameness Handles::compare(const Operand& a, const Operand& b, const Pair& pair) const {
    const bool is_of_one = pair.is_of_one_maker && a.value.name == b.value.name &&
                           (is_element_of_maker(a.value) || is_element_of_maker(b.value)) &&
                           is_element_of_thread(a.value) && is_element_of_thread(b.value) &&
                           a.field == b.field;
    if (is_of_one || (pair.is_next_round && is_same_index(a, b))) return Sameness::Same;
    if (pair.is_other_round && is_counted_by_each(a.value)) return Sameness::Unknown;
    if (share_element(a, b, pair)) return Sameness::Same;
    return compare(a, b, pair.is_one_call());
}

/// Whether one thread comes to the element of another one, by their numbers: each takes that of its
/// neighbour, too, or there are more threads than elements.
bool Handles::share_element(const Operand& a, const Operand& b, const Pair& pair) const {
    const Value& one = a.value;
    const Value& other = b.value;
    const bool are_of_one = one.name == other.name && one.is_shared == other.is_shared &&
                            a.field == b.field && a.owner == b.owner &&
                            (one.is_shared || pair.is_one_call()) && is_kept(one);
    if (!are_of_one || pair.by_all == 0) return false;
    if (is_shared_by_threads(one)) {
        const std::int64_t apart = one.number - kSharedByThreads;
        const bool are_there = pair.threads == 0 ? pair.scope != 0 : pair.threads > apart;
        return one.number == other.number && pair.by_all == 2 && are_there;
    }
    if (!is_shifted_by_thread(one) || !is_shifted_by_thread(other)) return false;
    const std::int64_t apart = std::abs(one.number - other.number);
    return apart == 1 || (apart > 1 && pair.threads > apart);
}

/// What MPI predefines, or a member of whatever object that always is that.
std::optional<std::int64_t> Handles::predefined(const Operand& operand) const {
    if (operand.field == 0 && operand.value.kind == Value::Kind::Predefined)
        return identity_of_predefined(program_.unit().strings[operand.value.name]);
    const Variable* member = member_of(operand);
    const bool is_one =
        member != nullptr && has_one_handle(*member) && member->constant < kFirstText;
    return is_one ? std::optional(member->constant) : std::nullopt;
}

/// A member of a variable that is used by the variable's name, too: under that one name.
Operand Handles::named(const Operand& operand) const {
    const Value& object = operand.value;
    const bool may_be = operand.field != 0 &&
                        (object.kind == Value::Kind::Global || object.kind == Value::Kind::Local);
    if (!may_be) return operand;
    const Strings& strings = program_.unit().strings;
    const StringId name =
        strings.find(name_of_member(strings[object.name], strings[operand.field]));
    if (name == Strings::kNoString) return operand;
    Operand named = operand;
    named.field = 0;
    named.value.name = name;
    return named;
}

/// Whether both are of one call of a function: main() is called once.
bool Handles::are_of_one_call(const Operand& a, const Operand& b, bool is_one_call) const {
    return is_one_call || (a.owner == b.owner && a.owner != kNone && program_.is_main(a.owner));
}

/// Members of two objects may well be the same.
Sameness Handles::compare_known(const Operand& a, const Operand& b, bool is_one_call) const {
    is_one_call = are_of_one_call(a, b, is_one_call);
    const auto first = predefined(a);
    if (first && first == predefined(b)) return Sameness::Same;
    if (a.field != b.field) {
        const Operand one = named(a);
        const Operand other = named(b);
        return one.field == 0 && other.field == 0
                   ? compare_values(one.value, other.value, is_one_call)
                   : Sameness::Unknown;
    }
    const Sameness objects = compare_values(a.value, b.value, is_one_call);
    return a.field == 0 || objects == Sameness::Same ? objects : Sameness::Unknown;
}

Sameness Handles::compare_values(const Value& a, const Value& b, bool is_one_call) const {
    using Kind = Value::Kind;
    if (a.kind == Kind::Unknown || b.kind == Kind::Unknown) return Sameness::Unknown;
    if (a.kind == Kind::Element || b.kind == Kind::Element) {
        // All threads have the first one of the loop.
        if (is_counted_by_each(a) && a == b && (is_one_call || a.is_shared) && is_kept(a))
            return Sameness::Same;
        const bool by_thread =
            a.name == b.name && is_element_of_thread(a) && is_element_of_thread(b);
        return by_thread ? Sameness::Different : Sameness::Unknown;
    }
    if (a.kind == b.kind) {
        switch (a.kind) {
            case Kind::Constant:
                return a.number == b.number ? Sameness::Same : Sameness::Different;
            case Kind::Predefined:
                return a.name == b.name ? Sameness::Same : Sameness::Different;
            case Kind::Global:
                if (a.name == b.name) {
                    const bool is_copy = a.created_once || b.created_once;
                    const bool is_one =
                        is_kept(a) && (!is_copy || is_started_once(program_, a.name));
                    return is_one ? Sameness::Same : Sameness::Unknown;
                }
                break;
            case Kind::Local:
                if (a.name == b.name) {
                    return is_one_call && a.is_shared && b.is_shared ? Sameness::Same
                                                                     : Sameness::Unknown;
                }
                break;
            case Kind::Unknown:
            case Kind::Parameter:
            case Kind::Element:
            case Kind::Counted:
            case Kind::SameForAll:
            case Kind::Function:
                break;
            case Kind::ThreadNumber:
                return a.name == b.name && a.number == b.number && is_number_or_sum(a)
                           ? Sameness::Different
                           : Sameness::Unknown;
        }
    }
    // A program has no array in which it looks for one and the same.
    const Part first = part_of(a, program_.unit().strings);
    const Part second = part_of(b, program_.unit().strings);
    const bool are_variables =
        a.kind == b.kind && (a.kind == Kind::Global || a.kind == Kind::Local);
    if (are_variables && first.array == second.array && !overlap(first, second))
        return Sameness::Different;
    const bool a_created = is_created(a);
    const bool b_created = is_created(b);
    const bool a_fixed = a.kind == Kind::Predefined;
    const bool b_fixed = b.kind == Kind::Predefined;
    return (a_created && (b_created || b_fixed)) || (b_created && a_fixed) ? Sameness::Different
                                                                           : Sameness::Unknown;
}

/// What each caller hands over: the same somewhere, or different ones everywhere.
Sameness Handles::compare_by_callers(const Operand& a, const Operand& b, int depth) const {
    const FunctionId function = is_parameter(a) ? a.owner : b.owner;
    if (depth == kMostCallsUp || function == kNone) return Sameness::Unknown;
    const std::span<const CallerEdge> callers = program_.callers(function);
    if (callers.empty() || callers.size() > kMostCallersOfOne) return Sameness::Unknown;
    bool all_different = true;
    for (const CallerEdge& caller : callers) {
        if (caller.kind != CallKind::Call) return Sameness::Unknown;
        if (contexts_.entered(caller.from) == 0) continue;
        const Step& call = program_.steps(caller.from)[caller.step];
        const auto there = [&](const Operand& operand) {
            return is_parameter(operand) ? argument_for(operand, call, caller.from) : operand;
        };
        Operand first = there(a);
        Operand second = there(b);
        // Both threads are below this one call, so its locals are the same for both.
        first.value.is_shared = second.value.is_shared = true;
        const Sameness each = compare(first, second, true, depth + 1);
        if (each == Sameness::Same) return each;
        all_different = all_different && each == Sameness::Different;
    }
    return all_different ? Sameness::Different : Sameness::Unknown;
}

/// What all callers hand over for a parameter, if that is one thing for the whole program, or a
/// parameter of the function whose parallel region the calls are in.
Operand Handles::fixed(const Operand& operand, int depth) const {
    if (!is_parameter(operand)) return operand;
    if (depth == kMostCallsUp || operand.owner == kNone) return {};
    const std::span<const CallerEdge> callers = program_.callers(operand.owner);
    if (callers.empty() || callers.size() > kMostCallersOfOne) return {};
    Operand result;
    for (const CallerEdge& caller : callers) {
        if (caller.kind != CallKind::Call) return {};
        if (contexts_.entered(caller.from) == 0) continue;
        const Step& call = program_.steps(caller.from)[caller.step];
        Operand each = argument_for(operand, call, caller.from);
        // All threads of a team are in one call of the function whose parallel region made it.
        const bool is_in_team = team_around(program_.regions(caller.from), call.region) != 0;
        if (!is_parameter(each) || !is_in_team) each = fixed(each, depth + 1);
        const bool is_first = result.value.kind == Value::Kind::Unknown;
        const bool is_shared_local =
            each.value.kind == Value::Kind::Local && each.value.is_shared && is_in_team;
        if (each.value.kind == Value::Kind::Unknown ||
            (each.value.kind == Value::Kind::Local && !is_shared_local))
            return {};
        const bool is_same = each.value == result.value && each.field == result.field &&
                             (!is_parameter(each) || each.owner == result.owner);
        if (!is_first && !is_same) return {};
        result = each;
    }
    if (result.value.kind == Value::Kind::Local) {
        // One variable of the caller, outside of its parallel region: as good as a global one.
        result.value.kind = Value::Kind::Predefined;
    }
    return result;
}

bool Handles::may_match(const Group& a, const Group& b, bool is_one_call) const {
    const auto fit = [&](const Operand& one, const Operand& other) {
        return compare(one, other, is_one_call) != Sameness::Different || is_wildcard(one) ||
               is_wildcard(other);
    };
    return fit(a.peer, b.peer) && fit(a.tag, b.tag);
}

bool Handles::are_rests(const Operand& a, const Operand& b) const {
    if (a.value.kind != Value::Kind::Local || b.value.kind != Value::Kind::Local) return false;
    const Strings& strings = program_.unit().strings;
    const std::string_view one = strings[a.value.name];
    const std::string_view other = strings[b.value.name];
    const std::size_t at = one.find(kRestOf);
    const std::size_t other_at = other.find(kRestOf);
    return a.owner == b.owner && at != std::string_view::npos &&
           other_at != std::string_view::npos && one.substr(at) == other.substr(other_at);
}

/// MPI libraries have negative numbers for them. MPI_PROC_NULL is one, too, which nobody writes
/// where a message is received.
bool Handles::is_wildcard(const Operand& number) const {
    constexpr std::int64_t least = -2;
    const Value value = fixed(number, 0).value;
    return value.kind == Value::Kind::Constant && value.number < 0 && value.number >= least;
}

bool Handles::is_of_this_process(const Operand& communicator) const {
    return predefined(communicator) == identity_of_predefined("MPI_COMM_SELF") ||
           thread_level::is_of_this_process(fixed(communicator, 0).value, program_.unit().strings);
}

bool Handles::share_request(const Operand& a, const Operand& b, bool is_one_call) const {
    const Operand one = a.field != b.field ? named(a) : a;
    const Operand other = a.field != b.field ? named(b) : b;
    is_one_call = are_of_one_call(a, b, is_one_call);
    return is_in(one, other, is_one_call) || is_in(other, one, is_one_call);
}

bool Handles::is_in(const Operand& request, const Operand& array, bool is_one_call) const {
    using Kind = Value::Kind;
    const Value& all = array.value;
    const bool is_one = (all.kind == Kind::Global && is_kept(all)) ||
                        (all.kind == Kind::Local && all.is_shared && is_one_call);
    if (!is_one || all.number == 0 || request.field != array.field) return false;
    const Value& part = request.value;
    // The first elements are other ones, or each thread's.
    const Part whole = part_of(all, program_.unit().strings);
    if (part.kind == Kind::Element) {
        const bool is_from_first =
            is_element_of_thread(part) || part.number == kCounted || is_counted_by_each(part);
        if (all.number == kWholeArray) return is_from_first && part.name == all.name;
        return program_.unit().strings[part.name] == whole.array && has_first_of(whole, part);
    }
    return part.kind == all.kind && overlap(part_of(part, program_.unit().strings), whole);
}

Sameness Handles::same_lock(const Exclusion& lock, Node node, bool apart) const {
    switch (lock.kind) {
        case Exclusion::Kind::MakerLock:
            return Sameness::Different;
        case Exclusion::Kind::LocalLock:
            return apart ? Sameness::Different : Sameness::Same;
        case Exclusion::Kind::OuterLock:
            return outer_locks_.sameness(lock, node, apart);
        case Exclusion::Kind::HandedLock:
            return handed_object({.function = lock.function, .number = lock.number}, false, 0);
        case Exclusion::Kind::LockElement:
            return Sameness::Unknown;
        default:
            return Sameness::Same;
    }
}

Sameness Handles::handed_object(const Parameter& parameter, bool is_started, int depth) const {
    const FunctionId function = parameter.function;
    const std::span<const CallerEdge> callers = program_.callers(function);
    const bool is_seen = (contexts_.from_outside(function) & ~set_of(State::Serial)) == 0;
    if (callers.empty() || callers.size() > kMostCallersOfOne || depth == kMostCallsUp || !is_seen)
        return Sameness::Unknown;
    bool all_same = true;
    for (const CallerEdge& caller : callers) {
        if (contexts_.entered(caller.from) == 0) continue;
        const Sameness each = object_at(caller, parameter.number, is_started, depth);
        if (each == Sameness::Different) return each;
        all_same = all_same && each == Sameness::Same;
    }
    return all_same ? Sameness::Same : Sameness::Unknown;
}

/// Of a lock that is a variable of a function, where it is handed over.
Sameness Handles::outer_lock_at(const CallerEdge& caller, const Value& lock, bool is_start) const {
    const FunctionId owner = owner_of(lock, program_);
    if (owner == kNone) return Sameness::Unknown;
    const Exclusion outer{.kind = Exclusion::Kind::OuterLock, .name = lock.name, .function = owner};
    return outer_locks_.sameness(outer, caller.from, !is_start);
}

/// `is_started`: in what is called so a thread starts, with the parameter.
Sameness Handles::object_at(const CallerEdge& caller,
                            std::uint32_t number,
                            bool is_started,
                            int depth) const {
    if (caller.kind == CallKind::Dispatch) return Sameness::Unknown;
    const Step& call = program_.steps(caller.from)[caller.step];
    const bool is_start = is_started || caller.kind == CallKind::Start;
    // Without a team there is nobody to share it with.
    const StateSet states = contexts_.states_in(caller.from, call.region);
    if (!is_start && (states & ~set_of(State::Serial)) == 0) return Sameness::Same;
    if (number >= call.arguments.size() || !call.callbacks.empty()) return Sameness::Unknown;
    const Value& value = call.arguments[number];
    switch (value.kind) {
        case Value::Kind::Global:
            if (value.is_shared) return outer_lock_at(caller, value, is_start);
            return is_kept(value) ? Sameness::Same : Sameness::Unknown;
        case Value::Kind::Local:
            return value.is_shared || is_start ? Sameness::Same : Sameness::Different;
        case Value::Kind::Parameter:
            if (value.name != 0) return Sameness::Unknown;
            return handed_object(
                {.function = caller.from, .number = static_cast<std::uint32_t>(value.number)},
                is_start,
                depth + 1);
        case Value::Kind::Element:
            return value.number != 0 ? Sameness::Different : Sameness::Unknown;
        case Value::Kind::Counted:
            return Sameness::Different;
        case Value::Kind::Unknown:
        case Value::Kind::Constant:
        case Value::Kind::Predefined:
        case Value::Kind::ThreadNumber:
        case Value::Kind::SameForAll:
        case Value::Kind::Function:
            break;
    }
    return Sameness::Unknown;
}

bool Handles::may_change(const Operand& number) const {
    if (number.value.kind != Value::Kind::Global) return false;
    const Variable* variable = program_.variable(number.value.name);
    return variable != nullptr && variable->other_writes > 1 && !variable->has_constant;
}

/// Of a member of any object.
const Variable* Handles::member_of(const Operand& operand) const {
    StringId name = operand.field != 0 ? operand.field : operand.value.name;
    const Strings& strings = program_.unit().strings;
    const std::string_view pointed = pointed_member(strings[operand.value.name]);
    if (operand.field == 0 && !pointed.empty()) {
        name = strings.find(pointed);
        return name == Strings::kNoString ? nullptr : program_.variable(name);
    }
    const bool is_member =
        operand.field != 0 || operand.value.kind == Value::Kind::Element || is_parameter(operand);
    return is_member && name != 0 ? program_.variable(name) : nullptr;
}

bool Handles::has_one_handle(const Variable& member) {
    return member.creations == 0 && member.other_writes > 0 && member.has_constant;
}

bool Handles::may_be_one_handle(const Operand& a, const Operand& b) const {
    const Variable* member = member_of(a);
    return member != nullptr && member == member_of(b) && has_one_handle(*member);
}

/// Of a variable: unless it is in what a pointer leads to that the program sets again.
bool Handles::is_kept(const Value& value) const {
    const Strings& strings = program_.unit().strings;
    const std::string_view pointer = pointer_of(strings[value.name]);
    if (pointer.empty()) return true;
    const StringId name = strings.find(pointer);
    const Variable* variable = name == Strings::kNoString ? nullptr : program_.variable(name);
    return variable != nullptr && variable->other_writes <= 1;
}

bool Handles::is_created(const Value& value) const {
    if (value.kind == Value::Kind::Local) return value.created_once;
    if (value.kind != Value::Kind::Global) return false;
    const Variable* variable = program_.variable(value.name);
    return variable != nullptr && variable->creations > 0 && variable->other_writes == 0;
}

}  // namespace mqinspect::thread_level
