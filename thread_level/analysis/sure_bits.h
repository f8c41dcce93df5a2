/// What is sure when control comes to the steps of a function: bits that all ways there agree on.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

/// In front of each step; nothing: nobody comes there. `after(id, before)`: behind step `id`, from
/// what is sure in front of it.
template <class Bits, class After>
std::vector<std::optional<Bits>> sure_before(std::span<const Step> steps,
                                             Bits at_entry,
                                             After after) {
    std::vector<std::optional<Bits>> before(steps.size());
    if (steps.empty()) return before;
    before.front() = at_entry;
    std::vector<StepId> open{0};
    while (!open.empty()) {
        const StepId id = open.back();
        open.pop_back();
        const Bits behind = after(id, *before[id]);
        for (const StepId next : steps[id].next) {
            const Bits joined = before[next] ? *before[next] & behind : behind;
            if (before[next] == joined) continue;
            before[next] = joined;
            open.push_back(next);
        }
    }
    return before;
}

}  // namespace mqinspect::thread_level
