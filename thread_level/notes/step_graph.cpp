#include "thread_level/notes/step_graph.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "thread_level/facts/values.h"

namespace mqinspect::thread_level::notes {
namespace {

void erase(std::vector<StepId>& list, StepId step) {
    list.erase(std::remove(list.begin(), list.end(), step), list.end());
}

bool are_alike(const Step& a, const Step& b) {
    return a.kind == b.kind && a.region == b.region && a.target == b.target && a.name == b.name &&
           a.is_virtual == b.is_virtual && a.is_by_type == b.is_by_type && a.turn == b.turn &&
           a.is_conditional == b.is_conditional && a.is_checked == b.is_checked &&
           a.is_library == b.is_library && a.is_unwinding == b.is_unwinding &&
           a.is_caught == b.is_caught && a.value == b.value && a.mpi == b.mpi &&
           a.arguments == b.arguments && a.callbacks == b.callbacks && a.moved == b.moved &&
           a.spares_moved == b.spares_moved && a.callee == b.callee &&
           a.object_class == b.object_class && a.fills_variable == b.fills_variable;
}

bool is_call(const Step& step) {
    return step.kind == StepKind::Call || step.kind == StepKind::Indirect;
}

}  // namespace

StepGraph::StepGraph(std::vector<Step> steps)
    : steps_(std::move(steps)), before_(steps_.size()), is_gone_(steps_.size(), false) {
    for (StepId id = 0; id < steps_.size(); ++id) {
        std::vector<StepId> next;
        for (const StepId to : steps_[id].next)
            if (to < steps_.size() && !contains(next, to)) next.push_back(to);
        steps_[id].next = next;
        for (const StepId to : next)
            before_[to].push_back(id);
    }
    drop_unreachable();
}

void StepGraph::drop_unreachable() {
    if (steps_.empty()) return;
    std::vector<bool> reached(steps_.size(), false);
    std::vector<StepId> open{start_};
    reached[start_] = true;
    while (!open.empty()) {
        const StepId id = open.back();
        open.pop_back();
        for (const StepId to : steps_[id].next) {
            if (!reached[to]) open.push_back(to);
            reached[to] = true;
        }
    }
    for (StepId id = 0; id < steps_.size(); ++id)
        if (!reached[id]) remove(id);
}

void StepGraph::connect(StepId from, StepId to) {
    // A step that does nothing needs no way back to itself.
    if (from == to && steps_[from].kind == StepKind::Join) return;
    if (contains(steps_[from].next, to)) return;
    steps_[from].next.push_back(to);
    before_[to].push_back(from);
}

void StepGraph::disconnect(StepId from, StepId to) {
    erase(steps_[from].next, to);
    erase(before_[to], from);
}

void StepGraph::remove(StepId step) {
    is_gone_[step] = true;
    const std::vector<StepId> next = steps_[step].next;
    for (const StepId to : next)
        disconnect(step, to);
    const std::vector<StepId> before = before_[step];
    for (const StepId from : before)
        disconnect(from, step);
}

void StepGraph::contract() {
    std::vector<StepId> open;
    for (StepId id = 0; id < steps_.size(); ++id)
        open.push_back(id);
    while (!open.empty()) {
        const StepId id = open.back();
        open.pop_back();
        if (is_gone_[id] || steps_[id].kind != StepKind::Join) continue;
        disconnect(id, id);
        const std::vector<StepId> before = before_[id];
        const std::vector<StepId> next = steps_[id].next;
        if (before.size() * next.size() > before.size() + next.size()) continue;
        if (id == start_) {
            if (next.size() != 1) continue;
            start_ = next.front();
        }
        if (next.empty()) continue;  // where it does not return
        remove(id);
        for (const StepId from : before) {
            for (const StepId to : next)
                connect(from, to);
        }
        for (const std::vector<StepId>* changed : {&before, &next})
            open.insert(open.end(), changed->begin(), changed->end());
    }
}

void StepGraph::merge_alike() {
    std::unordered_map<std::uint64_t, std::vector<StepId>> seen;
    for (StepId id = 0; id < steps_.size(); ++id) {
        if (is_gone_[id] || !is_call(steps_[id])) continue;
        const std::uint64_t key = (std::uint64_t{steps_[id].region} << 32U) | steps_[id].name;
        std::vector<StepId>& others = seen[key];
        const auto same = std::find_if(others.begin(), others.end(), [&](StepId other) {
            return are_alike(steps_[other], steps_[id]);
        });
        if (same == others.end()) {
            others.push_back(id);
            continue;
        }
        const std::vector<StepId> before = before_[id];
        const std::vector<StepId> next = steps_[id].next;
        remove(id);
        for (const StepId from : before)
            connect(from == id ? *same : from, *same);
        for (const StepId to : next)
            connect(*same, to == id ? *same : to);
        if (start_ == id) start_ = *same;
    }
}

void StepGraph::gather_around_hub() {
    std::size_t edges = 0;
    std::size_t calls = 0;
    StepId exit = kNone;
    for (StepId id = 0; id < steps_.size(); ++id) {
        if (is_gone_[id]) continue;
        edges += steps_[id].next.size();
        if (steps_[id].kind == StepKind::Exit) exit = id;
        if (is_call(steps_[id])) ++calls;
    }
    if (edges <= 2 * calls + 1) return;
    const auto hub = static_cast<StepId>(steps_.size());
    Step join;
    join.region = steps_[start_].region;
    steps_.push_back(join);
    before_.emplace_back();
    is_gone_.push_back(false);
    for (StepId id = 0; id < hub; ++id) {
        if (is_gone_[id]) continue;
        const bool stays = is_call(steps_[id]) || id == exit;
        remove(id);
        is_gone_[id] = !stays;
        if (!stays) continue;
        connect(hub, id);
        if (id != exit) connect(id, hub);
    }
    start_ = hub;
}

std::vector<StepId> StepGraph::order() const {
    std::vector<StepId> order;
    if (steps_.empty()) return order;
    std::vector<bool> seen(steps_.size(), false);
    std::vector<StepId> open{start_};
    while (!open.empty()) {
        const StepId id = open.back();
        open.pop_back();
        if (seen[id]) continue;
        seen[id] = true;
        order.push_back(id);
        const std::vector<StepId>& next = steps_[id].next;
        open.insert(open.end(), next.rbegin(), next.rend());
    }
    return order;
}

std::vector<Step> StepGraph::steps(const std::vector<StepId>& order) const {
    std::vector<StepId> numbers(steps_.size(), kNone);
    for (StepId number = 0; number < order.size(); ++number)
        numbers[order[number]] = number;
    std::vector<Step> ordered;
    for (const StepId id : order) {
        ordered.push_back(steps_[id]);
        for (StepId& to : ordered.back().next)
            to = numbers[to];
    }
    return ordered;
}

}  // namespace mqinspect::thread_level::notes
