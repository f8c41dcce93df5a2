// Which elements threads come to whose numbers tell that: Meetings, second part.
#include <algorithm>
#include <vector>

#include "thread_level/analysis/meetings.h"
#include "thread_level/analysis/states.h"
#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {

namespace {

/// Whether several threads of the team come there, each to an element of its own, or shared.
bool is_by_threads(const Group& group) {
    const auto tells = [](const Value& value) {
        return is_shifted_by_thread(value) || is_shared_by_threads(value);
    };
    const bool is_of_several = group.executor.who == Who::All || group.executor.who == Who::Others;
    return (tells(group.communicator.value) || tells(group.object.value)) && is_of_several &&
           group.async == 0 && !group.is_called && !group.is_nested && group.worksharing == kNone &&
           group.origins.size() == 1;
}

}  // namespace

/// How many of the two all threads of the team come to.
int Meetings::for_all(const Group& a, const Group& b) const {
    if (!is_by_threads(a) || !is_by_threads(b)) return 0;
    return static_cast<int>(is_for_all(a)) + static_cast<int>(is_for_all(b));
}

/// Whether all threads come to it, on all ways through the scope.
bool Meetings::is_for_all(const Group& group) const {
    if (group.executor.who != Who::All) return false;
    const std::uint32_t id = shape_.scope_of(region_of(group));
    const Scope& scope = shape_.scopes()[id];
    const StepId enter = id == 0 ? kNone : shape_.enter_of(scope.region);
    if (enter != kNone && std::ranges::any_of(shape_.steps()[enter].next, [&](StepId next) {
            return shape_.scope_of(shape_.steps()[next].region) != id;
        }))
        return false;
    std::vector<bool> seen(shape_.steps().size(), false);
    std::vector<StepId> open = scope.starts;
    while (!open.empty()) {
        const StepId step = open.back();
        open.pop_back();
        if (step == group.step || seen[step]) continue;
        seen[step] = true;
        if (ends_scope(step)) return false;
        const auto next = shape_.next(step);
        open.insert(open.end(), next.begin(), next.end());
    }
    return true;
}

/// Whether a way out of the scope begins at the step.
bool Meetings::ends_scope(StepId id) const {
    const Step& step = shape_.steps()[id];
    if (step.kind == StepKind::Enter) return shape_.next(id).empty();
    const std::uint32_t scope = shape_.scope_of(step.region);
    return step.next.empty() || std::ranges::any_of(step.next, [&](StepId next) {
               return shape_.scope_of(shape_.steps()[next].region) != scope;
           });
}

/// As "num_threads" has it, of a region of the function.
std::int64_t Meetings::threads_around(const Group& a, const Group& b) const {
    const auto around = [this](const Group& group) {
        RegionId region = region_of(group);
        while (region != 0 && shape_.regions()[region].kind != RegionKind::Parallel)
            region = shape_.regions()[region].parent;
        return region;
    };
    const RegionId team = around(a);
    return team != 0 && team == around(b) ? shape_.regions()[team].number : 0;
}

}  // namespace mqinspect::thread_level
