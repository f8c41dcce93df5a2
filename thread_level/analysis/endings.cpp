#include "thread_level/analysis/endings.h"

#include <algorithm>
#include <vector>

namespace mqinspect::thread_level {

bool ends_process(const Program& program, Node node) {
    const std::span<const Step> steps = program.steps(node);
    const auto is_exit = [](const Step& step) { return step.kind == StepKind::Exit; };
    if (steps.empty() || std::any_of(steps.rbegin(), steps.rend(), is_exit)) return false;
    std::vector<std::size_t> next(steps.size(), 0);
    std::vector<bool> is_seen(steps.size(), false);
    std::vector<bool> is_on_way(steps.size(), false);
    std::vector<StepId> way = {0};
    is_seen[0] = is_on_way[0] = true;
    while (!way.empty()) {
        const StepId at = way.back();
        if (next[at] == steps[at].next.size()) {
            is_on_way[at] = false;
            way.pop_back();
            continue;
        }
        const StepId to = steps[at].next[next[at]++];
        if (is_on_way[to]) return false;
        if (is_seen[to]) continue;
        is_seen[to] = is_on_way[to] = true;
        way.push_back(to);
    }
    return true;
}

}  // namespace mqinspect::thread_level
