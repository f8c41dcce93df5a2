#include <algorithm>

#include "thread_level/analysis/flow.h"

namespace mqinspect::thread_level {

/// A loop that joins threads joins all that were started, and "if (joinable)" knows why it asks:
/// the ways around such a join count as joined, too.
void Flow::find_joins() {
    const std::span<const Step> steps = shape_.steps();
    leads_to_join_.assign(steps.size(), false);
    for (StepId i = 0; i < steps.size(); ++i) {
        if (steps[i].kind != StepKind::JoinThread) continue;
        const std::vector<bool> behind = right_behind(i);
        for (StepId branch = 0; branch < steps.size(); ++branch) {
            const std::span<const StepId> next = shape_.next(branch);
            const bool leads = std::find(next.begin(), next.end(), i) != next.end();
            const bool skips = std::all_of(
                next.begin(), next.end(), [&](StepId each) { return each == i || behind[each]; });
            const bool is_loop = behind[branch] && steps[branch].kind == StepKind::Join;
            if (leads && (skips || is_loop)) leads_to_join_[branch] = true;
        }
    }
}

/// What may be the next that happens.
std::vector<bool> Flow::right_behind(StepId step) const {
    std::vector<bool> seen(shape_.steps().size(), false);
    std::vector<StepId> open = {step};
    while (!open.empty()) {
        const StepId from = open.back();
        open.pop_back();
        for (const StepId next : shape_.next(from)) {
            if (seen[next]) continue;
            seen[next] = true;
            if (shape_.steps()[next].kind == StepKind::Join) open.push_back(next);
        }
    }
    return seen;
}

}  // namespace mqinspect::thread_level
