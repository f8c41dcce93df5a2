#include "thread_level/analysis/hasty_writes.h"

#include <algorithm>
#include <set>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "thread_level/analysis/loops.h"
#include "thread_level/analysis/program.h"

namespace mqinspect::thread_level {
namespace {

enum class Way : std::uint8_t { Found, Over, Further };

/// Goes from `at` to all that call the function, and so on; true: what `look` has looked for is
/// there.
template <class Look>
bool on_ways_up(const Program& program, TurnWrite at, Look look) {
    std::set<std::pair<Node, StepId>> seen;
    std::vector<std::pair<Node, StepId>> open{{at.function, at.step}};
    while (!open.empty()) {
        const auto [node, step] = open.back();
        open.pop_back();
        if (!seen.insert({node, step}).second) continue;
        const Way way = look(node, step);
        if (way == Way::Found) return true;
        if (way == Way::Over) continue;
        for (const CallerEdge& edge : program.callers(node))
            open.emplace_back(edge.from, edge.step);
    }
    return false;
}

bool is_lock(const Step& step, StepKind kind, const Value& lock) {
    return step.kind == kind && step.turn == Turn::No && step.value == lock;
}

/// Whether some way of the function leads to `to` without `lock`.
bool comes_without(std::span<const Step> steps, const Value& lock, StepId to) {
    std::vector<bool> seen(steps.size(), false);
    std::vector<StepId> open{0};
    for (const Step& step : steps) {
        if (is_lock(step, StepKind::Release, lock))
            open.insert(open.end(), step.next.begin(), step.next.end());
    }
    while (!open.empty()) {
        const StepId step = open.back();
        open.pop_back();
        if (step == to) return true;
        if (seen[step]) continue;
        seen[step] = true;
        if (is_lock(steps[step], StepKind::Acquire, lock)) continue;
        open.insert(open.end(), steps[step].next.begin(), steps[step].next.end());
    }
    return false;
}

bool is_locked(std::span<const Step> steps, StepId at) {
    return std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
        return is_lock(step, StepKind::Acquire, step.value) &&
               !comes_without(steps, step.value, at);
    });
}

/// Whether threads that the program has started, and nobody else, execute the function.
bool is_of_threads(const Program& program, FunctionId function) {
    std::unordered_set<Node> seen;
    std::vector<Node> open{function};
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        if (!seen.insert(node).second) continue;
        if (program.callers(node).empty()) return false;
        for (const CallerEdge& edge : program.callers(node)) {
            if (edge.kind != CallKind::Start) open.push_back(edge.from);
        }
    }
    return true;
}

/// What the turn says holds no longer.
bool ends(const HastyWrite& write, const Exclusion& turn) {
    const std::int64_t number = turn.number;
    if (turn.field == 0) return write.from == number && write.to != number;
    return write.from != number && (!write.to || *write.to == number);
}

}  // namespace

Starters::Starters(const Program& program) : program_(program) {
    std::vector<Node> open;
    for (FunctionId id = 0; id < program.unit().functions.size(); ++id) {
        const std::span<const Step> steps = program.steps(id);
        const bool starts = std::any_of(steps.begin(), steps.end(), [](const Step& step) {
            return step.kind == StepKind::StartThread;
        });
        if (starts) open.push_back(id);
    }
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        if (!all_.insert(node).second) continue;
        for (const CallerEdge& edge : program.callers(node)) {
            if (edge.kind != CallKind::Start) open.push_back(edge.from);
        }
    }
}

/// Whether the function has started a thread when it comes to `step`.
bool Starters::starts_before(Node function, StepId step) const {
    const std::span<const CallEdge> calls = program_.calls(function);
    return std::any_of(calls.begin(), calls.end(), [&](const CallEdge& edge) {
        const bool starts = edge.kind == CallKind::Start || all_.contains(edge.to);
        return starts && leads_to(program_.steps(function), edge.step, step);
    });
}

bool Starters::may_be_beside(TurnWrite at) const {
    return on_ways_up(program_, at, [this](Node node, StepId step) {
        return program_.is_function(node) && starts_before(node, step) ? Way::Found : Way::Further;
    });
}

bool holds_lock(const Program& program, TurnWrite at) {
    return !on_ways_up(program, at, [&program](Node node, StepId step) {
        if (program.is_function(node) && is_locked(program.steps(node), step)) return Way::Over;
        return program.callers(node).empty() ? Way::Found : Way::Further;
    });
}

std::optional<std::int64_t> other_value(const Program& program,
                                        const TurnWrites& writes,
                                        StringId variable,
                                        std::int64_t to) {
    std::set<std::int64_t> values{to};
    if (const auto first = writes.first_value(variable)) values.insert(*first);
    for (const TurnWrite& write : writes.all().at(variable)) {
        const std::optional<std::int64_t> written = written_value(program, write);
        if (!written) return std::nullopt;
        values.insert(*written);
    }
    if (values.size() != 2) return std::nullopt;
    return *values.begin() == to ? *values.rbegin() : *values.begin();
}

Reliance reliance_on(const Program& program, FunctionId function, const Exclusion& turn) {
    const auto& hasty = program.turns().hasty;
    const auto found = hasty.find(turn.name);
    if (found == hasty.end() || turn.field > 1) return Reliance::UntilItWrites;
    bool ends_locked = false;
    bool ends_anyway = false;
    for (const HastyWrite& write : found->second) {
        if (ends(write, turn)) (write.is_locked ? ends_locked : ends_anyway) = true;
    }
    if ((!ends_locked && !ends_anyway) || !is_of_threads(program, function))
        return Reliance::UntilItWrites;
    return ends_anyway ? Reliance::Never : Reliance::WhileLocked;
}

}  // namespace mqinspect::thread_level
