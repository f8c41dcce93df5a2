#include "thread_level/analysis/task_copies.h"

#include <span>

#include "thread_level/analysis/loops.h"

namespace mqinspect::thread_level {
namespace {

/// The innermost task around, in which the step is; kNone: it is in none.
RegionId task_around(std::span<const Region> regions, RegionId region) {
    while (region != 0 && regions[region].kind != RegionKind::Task)
        region = regions[region].parent;
    return region == 0 ? kNone : region;
}

/// The construct around `region` that lets one thread at a time execute it, before all wait for the
/// tasks made there; kNone: there is none, or a task is around the region.
RegionId maker_of(std::span<const Region> regions, RegionId region) {
    for (; region != 0; region = regions[region].parent) {
        switch (regions[region].kind) {
            case RegionKind::Single:
                return regions[region].barrier_at_end ? region : kNone;
            case RegionKind::Master:
                return region;
            case RegionKind::Parallel:
            case RegionKind::Task:
            case RegionKind::Taskloop:
                return kNone;
            default:
                break;
        }
    }
    return kNone;
}

/// Where who makes the tasks comes to the call: it enters the task, or makes the call itself.
struct Made {
    StepId step = kNone;
    RegionId task = kNone;  ///< kNone: itself
};

Made made_at(std::span<const Region> regions, std::span<const Step> steps, StepId call) {
    const RegionId task = task_around(regions, steps[call].region);
    if (task == kNone) return {.step = call};
    for (StepId id = 0; id < steps.size(); ++id) {
        if (steps[id].kind == StepKind::Enter && steps[id].target == task)
            return {.step = id, .task = task};
    }
    return {};
}

}  // namespace

bool have_copies_of_one(const Evidence& evidence,
                        const Pair& pair,
                        const Group& a,
                        const Group& b) {
    const Value& request = a.object.value;
    const Value& other = b.object.value;
    if (request.kind != Value::Kind::Local || !request.created_once || other.kind != request.kind ||
        other.name != request.name || a.object.owner != pair.function ||
        b.object.owner != pair.function || a.is_called || b.is_called)
        return false;
    const std::span<const Region> regions = evidence.program.regions(pair.function);
    const std::span<const Step> steps = evidence.program.steps(pair.function);
    const Made first = made_at(regions, steps, a.step);
    const Made second = made_at(regions, steps, b.step);
    const StepId start =
        only_start_of(steps, evidence.program.unit().strings, request.kind, request.name);
    if (first.step == kNone || second.step == kNone || start == kNone || a.step == start ||
        b.step == start)
        return false;
    const RegionId maker = maker_of(regions, steps[first.step].region);
    if (maker == kNone || maker != maker_of(regions, steps[second.step].region) ||
        task_around(regions, steps[start].region) != task_around(regions, maker))
        return false;
    return (first.task != kNone && leads_to(steps, first.step, second.step, start)) ||
           (second.task != kNone && leads_to(steps, second.step, first.step, start));
}

}  // namespace mqinspect::thread_level
