#include "thread_level/analysis/started_numbers.h"

namespace mqinspect::thread_level {
namespace {

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

}  // namespace

Asked asked_by(const Region& guard) {
    return {guard.tested.number, guard.tested.name, guard.number};
}

Handing hand_number(Asked& asked, const Step& step, bool starts_thread) {
    if (asked.parameter < 0) return Handing::Asked;
    const Value value = handed_number(asked, step);
    if (value.kind == Value::Kind::Counted && value.name == asked.field) {
        const bool is_there = value.number <= asked.number;
        asked = {};
        return is_there ? Handing::OneThread : Handing::Never;
    }
    if (asked.is_of_thread) return Handing::Asked;
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
