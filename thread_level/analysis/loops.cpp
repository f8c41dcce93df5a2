#include "thread_level/analysis/loops.h"

#include <vector>

namespace mqinspect::thread_level {

bool leads_to(std::span<const Step> steps, StepId from, StepId to, StepId without) {
    std::vector<bool> seen(steps.size(), false);
    std::vector<StepId> open = {from};
    while (!open.empty()) {
        const StepId at = open.back();
        open.pop_back();
        for (const StepId next : steps[at].next) {
            if (next == to) return true;
            if (seen[next] || next == without) continue;
            seen[next] = true;
            open.push_back(next);
        }
    }
    return false;
}

}  // namespace mqinspect::thread_level
