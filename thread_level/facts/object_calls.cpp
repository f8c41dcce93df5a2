#include "thread_level/facts/object_calls.h"

#include <algorithm>

#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {
namespace {

bool gets_own_object(const Step& step) {
    return !step.arguments.empty() && is_whole_parameter(step.arguments.front()) &&
           step.arguments.front().number == 0;
}

}  // namespace

bool calls_own_virtual(const Step& step) {
    const bool is_call = step.kind == StepKind::Indirect && step.is_virtual;
    const bool is_start = step.kind == StepKind::StartThread && step.is_by_type &&
                          step.callee.kind == Value::Kind::Function;
    return (is_call || is_start) && gets_own_object(step);
}

bool hands_on_object(const Step& step) {
    const bool is_named =
        step.kind == StepKind::Call || (step.kind == StepKind::StartThread && !step.is_by_type);
    return is_named && !step.is_virtual && gets_own_object(step);
}

std::vector<bool> object_callers(const Unit& unit,
                                 const std::unordered_map<StringId, FunctionId>& by_symbol) {
    std::vector<bool> callers(unit.functions.size(), false);
    const auto calls = [&](const Step& step) {
        if (calls_own_virtual(step)) return true;
        if (!hands_on_object(step)) return false;
        const auto callee = by_symbol.find(step.name);
        return callee == by_symbol.end() || callers[callee->second];
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (FunctionId id = 0; id < callers.size(); ++id) {
            if (callers[id] || std::ranges::none_of(unit.functions[id].steps, calls)) continue;
            callers[id] = changed = true;
        }
    }
    return callers;
}

}  // namespace mqinspect::thread_level
