#include "thread_level/analysis/started_numbers.h"

#include <algorithm>
#include <span>

#include "thread_level/analysis/open.h"
#include "thread_level/analysis/states.h"
#include "thread_level/facts/flag_facts.h"
#include "thread_level/facts/relations.h"
#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {
namespace {

/// Above all numbers that a program writes: what stands for variables, another one for each.
constexpr std::int64_t kFirstOfVariable = std::int64_t{1} << 40;

/// And of fields of the object that has the number.
constexpr std::int64_t kFirstOfField = std::int64_t{1} << 42;

/// And what stands for numbers of which something is left as they are divided.
constexpr std::int64_t kFirstOfRemainder = std::int64_t{1} << 44;

/// Of each variable or field: it, and what may be added to it.
constexpr std::int64_t kNumbersOfLimit = 2 * kMostAdded + 1;

/// Whether what the number is compared with may be another one for each thread that the step
/// starts.
bool may_differ(const Asked& asked, const Step& step) {
    if (asked.number < kFirstOfField || asked.number >= kFirstOfRemainder) return false;
    const auto field = static_cast<StringId>((asked.number - kFirstOfField) / kNumbersOfLimit);
    return std::ranges::none_of(step.arguments, [field](const Value& value) {
        return value.kind == Value::Kind::SameForAll && value.name == field;
    });
}

/// What the number that is asked for is divided by; 0: it is that number itself.
std::int64_t modulus_of(const Asked& asked) {
    return asked.number < kFirstOfRemainder
               ? 0
               : (asked.number - kFirstOfRemainder) / (2 * kMostModulus);
}

bool is_asked(const Asked& asked, std::int64_t number) {
    const std::int64_t modulus = modulus_of(asked);
    return modulus == 0 ? number == asked.number
                        : number % modulus == asked.number % (2 * kMostModulus);
}

/// Of numbers that follow each other from one that is not known.
bool is_for_one_of(const Asked& asked, std::int64_t count) {
    const std::int64_t modulus = modulus_of(asked);
    return modulus == 0 || (count > 0 && count <= modulus);
}

/// A pointer may have the number.
std::int64_t without_null(std::int64_t number) {
    return number == kNull ? 0 : number;
}

/// What the step hands over for the parameter, if it is known.
Value handed_number(const Asked& asked, const Step& step) {
    const auto position = static_cast<std::size_t>(asked.parameter);
    if (!asked.is_of_thread)
        return position < step.arguments.size() ? step.arguments[position] : Value();
    // Behind the container or handle and the function, or in the function object.
    constexpr std::size_t first = 2;
    for (std::size_t i = 0; i < step.arguments.size(); ++i) {
        const Value& value = step.arguments[i];
        if (value.kind == Value::Kind::Counted && value.name == asked.field &&
            (value.name != 0 || i == position + first))
            return value;
    }
    return {};
}

/// Of a function that threads start with, too, where it is called.
const Value* number_pointed_to(const Asked& asked, const Step& step) {
    if (asked.is_of_thread || asked.parameter != 0) return nullptr;
    const auto found = std::ranges::find_if(step.arguments, [&asked](const Value& value) {
        return is_number_pointed_to(value) && value.name == asked.field;
    });
    return found == step.arguments.end() ? nullptr : &*found;
}

/// A guard's question, further up.
struct Handed {
    Node node = 0;
    Asked asked;

    bool operator==(const Handed&) const = default;
};

/// What the guard asks of its function, if it may be for the thread that has started others.
Asked asked_in(const Program& program, FunctionId function, RegionId region) {
    const Region& guard = program.regions(function)[region];
    if (guard.condition == Condition::ArgumentIs && guard.tested.kind == Value::Kind::Parameter)
        return asked_by(guard);
    const bool is_number = guard.condition == Condition::ThreadIsZero ||
                           (guard.condition == Condition::ThreadIsOther && guard.number > 0);
    if (!is_number || !program.own_numbers().has(guard.wrapper)) return {};
    Asked asked{.number = guard.number, .own = guard.wrapper};
    const std::span<const Step> steps = program.steps(function);
    for (StepId id = 0; id < steps.size() && asked.own != 0; ++id) {
        if (is_inside(program.regions(function), steps[id].region, region))
            ask_for_written(asked, program.own_numbers(), function, id);
    }
    return asked;
}

/// What the question is where the call is, or the start of a thread.
Handing hand_from(const Program& program, const CallerEdge& caller, Asked& asked) {
    if (!program.is_function(caller.from)) return Handing::Asked;
    const Step& step = program.steps(caller.from)[caller.step];
    const Handing handing = hand_number(asked, step, caller.kind != CallKind::Call);
    if (handing != Handing::Asked) return handing;
    const bool may_be = ask_for_written(asked, program.own_numbers(), caller.from, caller.step);
    return may_be ? Handing::Asked : Handing::OtherOnly;
}

}  // namespace

Asked asked_by(const Region& guard) {
    std::int64_t number = guard.number;
    if (guard.condition == Condition::ArgumentIsShared) {
        number = guard.limit.kind == Value::Kind::Parameter ? kFirstOfField : kFirstOfVariable;
        number += guard.limit.name * kNumbersOfLimit + kMostAdded + guard.number;
    }
    if (asks_for_remainder(guard))
        number += kFirstOfRemainder + guard.limit.number * (2 * kMostModulus);
    return {guard.tested.number, guard.tested.name, number};
}

// A member that is compared may be a number of OpenMP's, or one that the program has made.
bool asks_for_number(const Region& guard) {
    if (guard.tested.kind != Value::Kind::Parameter) return false;
    if (guard.condition == Condition::ArgumentIsShared) {
        const bool is_field = guard.limit.kind == Value::Kind::Parameter && guard.limit.name != 0;
        return is_field || guard.limit.kind == Value::Kind::Global;
    }
    if (guard.condition == Condition::ThreadIsZero) return guard.wrapper != 0;
    if (guard.condition == Condition::ThreadIsOther) return guard.wrapper != 0 && guard.number > 0;
    return guard.condition == Condition::ArgumentIs && guard.number < kFirstText &&
           guard.number != kOneProcess;
}

Handing hand_number(Asked& asked, const Step& step, bool starts_thread) {
    if (asked.own != 0 && starts_thread) asked = {};
    if (asked.parameter < 0) return Handing::Asked;
    if (const Value* const number = number_pointed_to(asked, step)) {
        const bool is_other = !is_asked(asked, number->number);
        asked = {};
        return is_other ? Handing::OtherOnly : Handing::Asked;
    }
    Value value = handed_number(asked, step);
    if (is_flag_of_parameter(value)) value = {};
    if (value.kind == Value::Kind::Counted && value.name == asked.field) {
        asked.number = without_null(asked.number);  // as GCC writes `(long)argument == 0`
        const bool is_of_object = is_number_of_object(value);
        const bool is_shifted = value.created_once && !is_of_object;
        const bool is_known =
            is_shifted ? is_for_one_of(asked, value.number) : modulus_of(asked) == 0;
        const bool is_there = is_shifted || value.number <= asked.number;
        const bool is_any = !is_known || may_differ(asked, step);
        asked = {};
        if (is_any) return Handing::Asked;
        if (!is_there) return Handing::Never;
        return is_of_object ? Handing::OneObject : Handing::OneThread;
    }
    if (asked.is_of_thread) return Handing::Asked;
    if (value.kind == Value::Kind::Constant && asked.field == 0 &&
        asked.number < kFirstOfVariable) {
        const bool is_asked = without_null(value.number) == without_null(asked.number);
        asked = {};
        if (is_asked) return Handing::Asked;
        return starts_thread ? Handing::Never : Handing::OtherOnly;
    }
    if (value.kind == Value::Kind::Parameter) {
        // A member of what a member points to is known by its own name.
        asked.parameter = value.number;
        if (asked.field == 0) asked.field = value.name;
    } else if (starts_thread && value.kind == Value::Kind::Unknown) {
        asked.is_of_thread = true;
    } else {
        asked = {};
    }
    return Handing::Asked;
}

bool is_of_caller(std::span<const Region> regions, RegionId region) {
    for (; region != 0; region = regions[region].parent) {
        if (has_own_team(regions[region]) || is_deferred_task(regions[region]) ||
            regions[region].kind == RegionKind::Taskloop)
            return false;
    }
    return true;
}

bool is_below_all_started(const Program& program, FunctionId function, RegionId region) {
    const Asked first = asked_in(program, function, region);
    if (first == Asked{}) return false;
    Open<Handed> open({.node = function, .asked = first});
    bool is_started = false;
    while (!open.is_empty()) {
        const Handed at = open.take();
        const std::span<const CallerEdge> callers = program.callers(at.node);
        const bool is_main = program.is_function(at.node) && program.is_main(at.node);
        if (callers.empty() && (at.asked.is_of_thread || (at.asked.own != 0 && !is_main)))
            return false;
        for (const CallerEdge& caller : callers) {
            Handed from{.node = caller.from, .asked = at.asked};
            switch (hand_from(program, caller, from.asked)) {
                case Handing::Never:
                    is_started = true;
                    continue;
                case Handing::OtherOnly:
                    continue;
                case Handing::OneThread:
                case Handing::OneObject:
                    return false;
                case Handing::Asked:
                    break;
            }
            const bool is_asked = from.asked.parameter >= 0 || from.asked.own != 0;
            if (program.is_function(caller.from)) {
                if (caller.kind != CallKind::Call && !is_asked) return false;
                const RegionId place = program.steps(caller.from)[caller.step].region;
                if (!is_of_caller(program.regions(caller.from), place)) return false;
                if (!is_asked) continue;  // called with something else
            }
            open.add(from);
        }
    }
    return is_started;
}

bool ask_for_written(Asked& asked, const OwnNumbers& numbers, FunctionId function, StepId step) {
    const Value* const written =
        asked.own == 0 ? nullptr : numbers.written_before(asked.own, function, step);
    if (written == nullptr) return true;
    const std::int64_t number = asked.number;
    asked = {};
    if (written->kind == Value::Kind::Constant) return written->number == number;
    asked = {.parameter = written->number, .field = written->name, .number = number};
    return true;
}

bool ask_for_written(Asked& asked, const Program& program, const Shape& shape, StepId step) {
    if (asked.own == 0) return true;
    const RegionId region = shape.steps()[step].region;
    // Who executes a task, or is of an inner team, has a variable of its own.
    if (shape.scope_of(region) != 0 || shape.path(region).task != kNone) {
        asked = {};
        return true;
    }
    return ask_for_written(asked, program.own_numbers(), shape.function(), step);
}

void ask_around(Asked& asked, const Program& program, const Shape& shape, StepId step) {
    const Asked& guards = shape.path(shape.steps()[step].region).asked;
    if (asked.parameter >= 0 || (asked.own != 0 && guards.parameter < 0)) return;
    asked = guards;
    ask_for_written(asked, program, shape, step);
}

}  // namespace mqinspect::thread_level
