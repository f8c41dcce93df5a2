#include "thread_level/analysis/hasty_writes.h"

#include <algorithm>
#include <set>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "thread_level/analysis/program.h"
#include "thread_level/facts/values.h"

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

/// The shortest way round that passes `step`; empty: there is none.
std::vector<StepId> shortest_round(std::span<const Step> steps, StepId step) {
    std::vector<StepId> before(steps.size(), kNone);
    std::vector<StepId> open{step};
    for (std::size_t i = 0; i < open.size(); ++i) {
        for (const StepId next : steps[open[i]].next) {
            if (before[next] != kNone) continue;
            before[next] = open[i];
            open.push_back(next);
        }
    }
    std::vector<StepId> round;
    if (before[step] == kNone) return round;
    for (StepId at = before[step]; at != step; at = before[at])
        round.push_back(at);
    round.push_back(step);
    return round;
}

bool is_join_of(const Step& step, const Step& start) {
    if (step.kind != StepKind::JoinThread) return false;
    const bool is_known = start.kind == StepKind::StartThread &&
                          start.value.kind != Value::Kind::Unknown &&
                          step.value.kind != Value::Kind::Unknown;
    return !is_known || step.value == start.value;
}

/// Where control goes from `at` without a join of what `start` has started. A loop that joins,
/// joins: it is not gone by.
class UnjoinedWays {
public:
    UnjoinedWays(std::span<const Step> steps, StepId start) : steps_(steps), start_(start) {
        for (StepId id = 0; id < steps.size(); ++id) {
            if (!is_join_of(steps[id], steps[start])) continue;
            std::vector<StepId> round = shortest_round(steps, id);
            if (round.empty() || starts_in(round)) round = {id};
            rounds_.push_back(std::move(round));
        }
    }

    bool lead_to(StepId to) const {
        std::vector<bool> seen(steps_.size(), false);
        std::vector<StepId> open{start_};
        while (!open.empty()) {
            const StepId at = open.back();
            open.pop_back();
            for (const StepId next : steps_[at].next) {
                if (seen[next] || is_joined_between(at, next)) continue;
                if (next == to) return true;
                seen[next] = true;
                open.push_back(next);
            }
        }
        return false;
    }

private:
    bool starts_in(std::span<const StepId> round) const {
        return std::any_of(round.begin(), round.end(), [this](StepId at) {
            return at == start_ || steps_[at].kind == StepKind::StartThread;
        });
    }
    bool goes_into(StepId at, std::span<const StepId> round) const {
        return std::any_of(steps_[at].next.begin(), steps_[at].next.end(), [&](StepId next) {
            return contains(round, next);
        });
    }
    bool comes_from(StepId at, std::span<const StepId> round) const {
        return std::any_of(round.begin(), round.end(), [&](StepId from) {
            return contains(steps_[from].next, at);
        });
    }
    bool is_joined_between(StepId at, StepId next) const {
        return std::any_of(rounds_.begin(), rounds_.end(), [&](const std::vector<StepId>& round) {
            if (contains(round, next)) return true;
            const bool is_loop = contains(steps_[round.front()].next, round.back());
            return is_loop && goes_into(at, round) && comes_from(next, round);
        });
    }

    std::span<const Step> steps_;
    StepId start_;
    std::vector<std::vector<StepId>> rounds_;
};

bool leads_unjoined(std::span<const Step> steps, StepId start, StepId to) {
    return UnjoinedWays(steps, start).lead_to(to);
}

/// Whether the function may end without having joined what `start` has started.
bool leaves(std::span<const Step> steps, StepId start) {
    for (StepId id = 0; id < steps.size(); ++id) {
        if (steps[id].kind == StepKind::Exit && leads_unjoined(steps, start, id)) return true;
    }
    return false;
}

/// Turns have their numbers in 32 bits.
bool is_number(std::optional<std::int64_t> value, const Exclusion& turn) {
    return value && static_cast<std::uint32_t>(*value) == turn.number;
}

}  // namespace

Starters::Starters(const Program& program) : program_(program) {
    std::vector<Node> open;
    const auto leave = [&](Node node, StepId step) {
        const bool is_left = !program.is_function(node) || leaves(program.steps(node), step);
        if (is_left && all_.insert(node).second) open.push_back(node);
    };
    for (FunctionId id = 0; id < program.unit().functions.size(); ++id) {
        const std::span<const Step> steps = program.steps(id);
        for (StepId step = 0; step < steps.size(); ++step) {
            if (steps[step].kind == StepKind::StartThread) leave(id, step);
        }
    }
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        for (const CallerEdge& edge : program.callers(node)) {
            if (edge.kind != CallKind::Start) leave(edge.from, edge.step);
        }
    }
}

/// Whether the function has started a thread, and not joined it, when it comes to `step`.
bool Starters::starts_before(Node function, StepId step) const {
    const std::span<const CallEdge> calls = program_.calls(function);
    return std::any_of(calls.begin(), calls.end(), [&](const CallEdge& edge) {
        const bool starts = edge.kind == CallKind::Start || all_.contains(edge.to);
        return starts && leads_unjoined(program_.steps(function), edge.step, step);
    });
}

bool Starters::may_be_beside(TurnWrite at) const {
    return on_ways_up(program_, at, [this](Node node, StepId step) {
        return program_.is_function(node) && starts_before(node, step) ? Way::Found : Way::Further;
    });
}

bool holds_lock(const Program& program, const std::vector<TurnWrite>& way) {
    const bool is_locked_inside = std::any_of(way.begin(), way.end(), [&](TurnWrite at) {
        return is_locked(program.steps(at.function), at.step);
    });
    if (is_locked_inside) return true;
    const TurnWrite at = way.back();
    return !on_ways_up(program, at, [&program](Node node, StepId step) {
        if (program.is_function(node) && is_locked(program.steps(node), step)) return Way::Over;
        return program.callers(node).empty() ? Way::Found : Way::Further;
    });
}

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

bool ends(const HastyWrite& write, const Exclusion& turn) {
    if (turn.field == 0) return is_number(write.from, turn) && !is_number(write.to, turn);
    return turn.field == 1 && !is_number(write.from, turn) &&
           (!write.to || is_number(write.to, turn));
}

bool rules_out(const Exclusion& turn, const HastyWrite& write) {
    if (turn.field == 0) return !is_number(write.from, turn);
    return turn.field == 1 && is_number(write.from, turn);
}

}  // namespace mqinspect::thread_level
