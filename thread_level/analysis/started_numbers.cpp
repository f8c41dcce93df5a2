#include "thread_level/analysis/started_numbers.h"

#include <algorithm>

#include "thread_level/facts/relations.h"
#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {
namespace {

/// Above all numbers that a program writes: what stands for variables, another one for each.
constexpr std::int64_t kFirstOfVariable = std::int64_t{1} << 40;

/// And what stands for numbers of which something is left as they are divided.
constexpr std::int64_t kFirstOfRemainder = std::int64_t{1} << 44;

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

}  // namespace

Asked asked_by(const Region& guard) {
    std::int64_t number = guard.number;
    if (guard.condition == Condition::ArgumentIsShared) {
        number =
            kFirstOfVariable + guard.limit.name * (2 * kMostAdded + 1) + kMostAdded + guard.number;
    }
    if (asks_for_remainder(guard))
        number += kFirstOfRemainder + guard.limit.number * (2 * kMostModulus);
    return {guard.tested.number, guard.tested.name, number};
}

// A member that is compared may be a number of OpenMP's, or one that the program has made.
bool asks_for_number(const Region& guard) {
    if (guard.tested.kind != Value::Kind::Parameter) return false;
    if (guard.condition == Condition::ArgumentIsShared)
        return guard.limit.kind == Value::Kind::Global;
    const bool is_number =
        guard.condition == Condition::ThreadIsZero || guard.condition == Condition::ThreadIsOther;
    if (is_number) return guard.wrapper != 0 && guard.number >= 0;
    return guard.condition == Condition::ArgumentIs && guard.number < kFirstText &&
           guard.number != kOneProcess;
}

Handing hand_number(Asked& asked, const Step& step, bool starts_thread) {
    if (asked.parameter < 0) return Handing::Asked;
    if (const Value* const number = number_pointed_to(asked, step)) {
        const bool is_other = !is_asked(asked, number->number);
        asked = {};
        return is_other ? Handing::OtherOnly : Handing::Asked;
    }
    const Value value = handed_number(asked, step);
    if (value.kind == Value::Kind::Counted && value.name == asked.field) {
        const bool is_shifted = value.created_once;
        const bool is_known =
            is_shifted ? is_for_one_of(asked, value.number) : modulus_of(asked) == 0;
        const bool is_there = is_shifted || value.number <= asked.number;
        asked = {};
        if (!is_known) return Handing::Asked;
        return is_there ? Handing::OneThread : Handing::Never;
    }
    if (asked.is_of_thread) return Handing::Asked;
    if (value.kind == Value::Kind::Constant && asked.field == 0 &&
        asked.number < kFirstOfVariable) {
        const bool is_asked = without_null(value.number) == without_null(asked.number);
        asked = {};
        if (is_asked) return Handing::Asked;
        return starts_thread ? Handing::Never : Handing::OtherOnly;
    }
    if (value.kind == Value::Kind::Parameter && (value.name == 0 || asked.field == 0)) {
        asked.parameter = value.number;
        if (value.name != 0) asked.field = value.name;
    } else if (starts_thread && value.kind == Value::Kind::Unknown) {
        asked.is_of_thread = true;
    } else {
        asked = {};
    }
    return Handing::Asked;
}

}  // namespace mqinspect::thread_level
