/// Steps that may follow others, or themselves.
#pragma once

#include <span>
#include <vector>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

/// Whether some way of a function leads from behind `from` to `to`, and not by way of `without`.
bool leads_to(std::span<const Step> steps, StepId from, StepId to, StepId without = kNone);

/// Whether some way leads from `step` of a function back to it.
inline bool is_in_loop(std::span<const Step> steps, StepId step) {
    return leads_to(steps, step, step);
}

/// Whether a function comes to `step` only by way of steps that `is_passed`.
template <class IsPassed>
bool comes_only_by(std::span<const Step> steps, StepId step, IsPassed is_passed) {
    std::vector<bool> seen(steps.size(), false);
    std::vector<StepId> open{0};
    while (!open.empty()) {
        const StepId at = open.back();
        open.pop_back();
        if (at == step) return false;
        if (seen[at] || is_passed(at)) continue;
        seen[at] = true;
        open.insert(open.end(), steps[at].next.begin(), steps[at].next.end());
    }
    return true;
}

/// The only call that starts the request which operands of that kind call `request`; kNone: there
/// are several, or none.
StepId only_start_of(std::span<const Step> steps,
                     const Strings& strings,
                     Value::Kind kind,
                     StringId request);

/// Whether `step` is in a loop, and no loop has one of `others` in it as well.
bool is_in_loop_without(std::span<const Step> steps,
                        StepId step,
                        const std::vector<StepId>& others);

}  // namespace mqinspect::thread_level
