#include "thread_level/analysis/latches.h"

#include <algorithm>
#include <set>
#include <span>

#include "thread_level/analysis/loops.h"

namespace mqinspect::thread_level {
namespace {

using Latches = std::set<StringId>;

bool waits_for(const Step& step, StringId latch) {
    return step.kind == StepKind::Acquire && step.turn == Turn::Is && step.value.name == latch;
}

}  // namespace

bool has_waited(std::span<const Step> steps, StepId step, StringId latch) {
    return comes_only_by(steps, step, [&](StepId at) { return waits_for(steps[at], latch); });
}

namespace {

Latches waited_before(std::span<const Step> steps, StepId step, const Latches& all) {
    Latches found;
    for (const StringId latch : all) {
        if (latch != steps[step].value.name && has_waited(steps, step, latch)) found.insert(latch);
    }
    return found;
}

void keep_common(Latches& latches, const Latches& others) {
    std::erase_if(latches, [&](StringId latch) { return !others.contains(latch); });
}

}  // namespace

std::map<StringId, std::vector<StringId>> latches_before(const Program& program) {
    Latches all;
    const auto for_each_count = [&](const auto& visit) {
        for (FunctionId id = 0; id < program.unit().functions.size(); ++id) {
            const std::span<const Step> steps = program.steps(id);
            for (StepId step = 0; step < steps.size(); ++step) {
                if (steps[step].turn == Turn::Counted && steps[step].kind == StepKind::Release)
                    visit(steps, step);
            }
        }
    };
    for_each_count(
        [&](std::span<const Step> steps, StepId step) { all.insert(steps[step].value.name); });
    if (all.size() < 2) return {};
    std::map<StringId, Latches> before;
    for_each_count([&](std::span<const Step> steps, StepId step) {
        const Latches waited = waited_before(steps, step, all);
        const auto [known, is_new] = before.try_emplace(steps[step].value.name, waited);
        if (!is_new) keep_common(known->second, waited);
    });
    for (bool changed = true; changed;) {
        changed = false;
        for (auto& [latch, others] : before) {
            const Latches direct = others;
            for (const StringId other : direct) {
                const Latches& further = before.at(other);
                const std::size_t size = others.size();
                others.insert(further.begin(), further.end());
                changed = changed || others.size() != size;
            }
        }
    }
    std::map<StringId, std::vector<StringId>> result;
    for (const auto& [latch, others] : before) {
        if (!others.empty()) result[latch].assign(others.begin(), others.end());
    }
    return result;
}

}  // namespace mqinspect::thread_level
