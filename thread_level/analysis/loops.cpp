#include "thread_level/analysis/loops.h"

#include <algorithm>

#include "thread_level/analysis/procedures.h"

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

StepId only_start_of(std::span<const Step> steps,
                     const Strings& strings,
                     Value::Kind kind,
                     StringId request) {
    StepId start = kNone;
    for (StepId id = 0; id < steps.size(); ++id) {
        const Value& object = steps[id].mpi.object;
        if (steps[id].kind != StepKind::Mpi || object.kind != kind || object.name != request ||
            !procedure_of(strings[steps[id].name]).is_nonblocking)
            continue;
        if (start != kNone) return kNone;
        start = id;
    }
    return start;
}

bool is_in_loop_without(std::span<const Step> steps,
                        StepId step,
                        const std::vector<StepId>& others) {
    return is_in_loop(steps, step) && std::ranges::none_of(others, [&](StepId other) {
               return leads_to(steps, step, other) && leads_to(steps, other, step);
           });
}

}  // namespace mqinspect::thread_level
