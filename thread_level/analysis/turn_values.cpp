#include "thread_level/analysis/turn_values.h"

#include <algorithm>
#include <utility>

#include "thread_level/analysis/states.h"

namespace mqinspect::thread_level {

bool writes_turn(const Step& step) {
    return step.turn == Turn::Written || step.turn == Turn::Posted || step.turn == Turn::Begun ||
           step.turn == Turn::Counted;
}

std::optional<std::int64_t> written_value(const Program& program, TurnWrite write) {
    const std::vector<Value>& arguments = program.steps(write.function)[write.step].arguments;
    if (arguments.empty() || arguments.front().kind != Value::Kind::Constant) return std::nullopt;
    return arguments.front().number;
}

TurnWrites::TurnWrites(const Program& program) : program_(program) {
    for (FunctionId id = 0; id < program.unit().functions.size(); ++id) {
        const std::span<const Step> steps = program.steps(id);
        for (StepId step = 0; step < steps.size(); ++step) {
            if (!writes_turn(steps[step])) continue;
            const StringId variable = steps[step].value.name;
            std::vector<TurnWrite>& writes = writes_[variable];
            if (program.may_be_executed(id)) writes.push_back({id, step});
            const std::vector<Value>& arguments = steps[step].arguments;
            if (arguments.size() > 1 && arguments[1].kind == Value::Kind::Constant)
                first_values_.try_emplace(variable, arguments[1].number);
        }
    }
    for (const auto& [variable, all] : writes_) {
        std::unordered_set<Node>& writers = writers_[variable];
        std::vector<Node> open;
        for (const TurnWrite& write : all)
            open.push_back(write.function);
        while (!open.empty()) {
            const Node node = open.back();
            open.pop_back();
            if (!writers.insert(node).second) continue;
            for (const CallerEdge& edge : program.callers(node))
                open.push_back(edge.from);
        }
    }
}

bool TurnWrites::may_write(Node node, StringId variable) const {
    const auto found = writers_.find(variable);
    return found != writers_.end() && found->second.contains(node);
}

std::optional<std::int64_t> TurnWrites::first_value(StringId variable) const {
    const auto found = first_values_.find(variable);
    return found == first_values_.end() ? std::nullopt : std::optional(found->second);
}

bool is_in_team(const Program& program, FunctionId function, RegionId region) {
    const std::span<const Region> regions = program.regions(function);
    for (RegionId id = region; id != 0; id = regions[id].parent) {
        if (makes_team(regions[id]) || is_deferred_task(regions[id])) return true;
    }
    return false;
}

bool is_serial(const Program& program, FunctionId id) {
    std::unordered_set<Node> seen{id};
    std::vector<Node> open{id};
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        for (const CallerEdge& edge : program.callers(node)) {
            if (edge.kind == CallKind::Start) return false;
            if (edge.kind == CallKind::Call && program.is_function(edge.from) &&
                is_in_team(program, edge.from, program.steps(edge.from)[edge.step].region))
                return false;
            if (seen.insert(edge.from).second) open.push_back(edge.from);
        }
    }
    return true;
}

TurnValues::TurnValues(const Program& program,
                       const TurnWrites& writes,
                       FunctionId function,
                       State at_start)
    : program_(program),
      writes_(writes),
      function_(function),
      before_(program.steps(function).size()) {
    if (before_.empty()) return;
    before_.front() = std::move(at_start);
    before_.front().is_reached = true;
    std::vector<StepId> open{0};
    while (!open.empty()) {
        const StepId step = open.back();
        open.pop_back();
        const State state = after(step);
        for (const StepId next : program.steps(function)[step].next) {
            if (merge(before_[next], state)) open.push_back(next);
        }
    }
}

std::optional<std::int64_t> TurnValues::before(StepId step, StringId variable) const {
    const State& state = before_[step];
    const auto found = state.known.find(variable);
    if (!state.is_reached || found == state.known.end()) return std::nullopt;
    return found->second;
}

TurnValues::State TurnValues::after(StepId id) const {
    State state = before_[id];
    const Step& step = program_.steps(function_)[id];
    const bool is_turn = step.turn != Turn::No;
    if (is_turn) state.known.erase(step.value.name);
    const bool is_known = step.turn == Turn::Written || step.turn == Turn::Begun;
    if (is_known && !state.lost.contains(step.value.name) && !step.arguments.empty() &&
        step.arguments.front().kind == Value::Kind::Constant)
        state.known.emplace(step.value.name, step.arguments.front().number);
    if (step.kind == StepKind::Leave && makes_team(program_.regions(function_)[step.target]))
        leave_team(state, step.target);
    for (const CallEdge& edge : program_.calls_of(function_, id)) {
        for (const auto& [variable, all] : writes_.all()) {
            if (!writes_.may_write(edge.to, variable)) continue;
            state.known.erase(variable);
            if (edge.kind == CallKind::Start) state.lost.insert(variable);
        }
    }
    return state;
}

/// Nobody knows which thread of the team was the last one to write.
void TurnValues::leave_team(State& state, RegionId team) const {
    const std::span<const Region> regions = program_.regions(function_);
    for (const auto& [variable, all] : writes_.all()) {
        for (const TurnWrite& write : all) {
            if (write.function != function_) continue;
            const RegionId region = program_.steps(function_)[write.step].region;
            if (is_inside(regions, region, team)) state.known.erase(variable);
        }
    }
}

bool TurnValues::merge(State& into, const State& from) {
    if (!into.is_reached) {
        into = from;
        return true;
    }
    bool changed = false;
    for (auto at = into.known.begin(); at != into.known.end();) {
        const auto same = from.known.find(at->first);
        const bool agree = same != from.known.end() && same->second == at->second;
        at = agree ? std::next(at) : into.known.erase(at);
        changed = changed || !agree;
    }
    for (const StringId variable : from.lost)
        changed = into.lost.insert(variable).second || changed;
    return changed;
}

namespace {

constexpr int kMostCalls = 4;  // around each other

/// The same as comes_in_turn(), by calls that are `depth` deep.
class TurnSearch {
public:
    TurnSearch(const Program& program,
               const TurnWrites& writes,
               StringId variable,
               std::int64_t number,
               bool is_equal)
        : program_(program),
          writes_(writes),
          variable_(variable),
          number_(number),
          is_equal_(is_equal) {}

    bool comes_in_turn(TurnWrite at, int depth) const;

private:
    bool says_so(const Step& test) const;
    bool may_write(FunctionId function, StepId id) const;
    bool finds_out(FunctionId function, StepId id, int depth) const;

    const Program& program_;
    const TurnWrites& writes_;
    StringId variable_;
    std::int64_t number_;
    bool is_equal_;  // what is to be found out: that it is the number; else that it is not
};

bool TurnSearch::says_so(const Step& test) const {
    if (test.value.name != variable_ || test.arguments.empty() ||
        test.arguments.front().kind != Value::Kind::Constant)
        return false;
    const bool is_number = test.arguments.front().number == number_;
    if (is_equal_) return test.turn == Turn::Is && is_number;
    return test.turn == Turn::IsNot ? is_number : test.turn == Turn::Is && !is_number;
}

bool TurnSearch::may_write(FunctionId function, StepId id) const {
    const Step& step = program_.steps(function)[id];
    if (writes_turn(step) && step.value.name == variable_) return true;
    const auto calls = program_.calls_of(function, id);
    return std::any_of(calls.begin(), calls.end(), [&](const CallEdge& edge) {
        return edge.kind == CallKind::Call && writes_.may_write(edge.to, variable_);
    });
}

/// Whether the step calls a function that returns only where it has found out.
bool TurnSearch::finds_out(FunctionId function, StepId id, int depth) const {
    const auto calls = program_.calls_of(function, id);
    return depth > 0 && !calls.empty() &&
           std::all_of(calls.begin(), calls.end(), [&](const CallEdge& edge) {
               if (edge.kind != CallKind::Call || !program_.is_function(edge.to)) return false;
               const std::span<const Step> steps = program_.steps(edge.to);
               bool returns = false;
               for (StepId step = 0; step < steps.size(); ++step) {
                   if (steps[step].kind != StepKind::Exit) continue;
                   returns = true;
                   if (!comes_in_turn({edge.to, step}, depth - 1)) return false;
               }
               return returns;
           });
}

bool TurnSearch::comes_in_turn(TurnWrite at, int depth) const {
    const std::span<const Step> steps = program_.steps(at.function);
    std::vector<bool> finds(steps.size(), false);
    // What is reached without such a test.
    std::vector<bool> seen(steps.size(), false);
    std::vector<StepId> open{0};
    for (StepId id = 0; id < steps.size(); ++id) {
        finds[id] = says_so(steps[id]) || finds_out(at.function, id, depth);
        if (!finds[id] && may_write(at.function, id))
            open.insert(open.end(), steps[id].next.begin(), steps[id].next.end());
    }
    while (!open.empty()) {
        const StepId id = open.back();
        open.pop_back();
        if (id == at.step) return false;
        if (seen[id]) continue;
        seen[id] = true;
        if (finds[id]) continue;
        open.insert(open.end(), steps[id].next.begin(), steps[id].next.end());
    }
    return true;
}

}  // namespace

bool comes_in_turn(const Program& program,
                   const TurnWrites& writes,
                   TurnWrite at,
                   StringId variable,
                   std::int64_t number,
                   bool is_equal) {
    return TurnSearch(program, writes, variable, number, is_equal).comes_in_turn(at, kMostCalls);
}

}  // namespace mqinspect::thread_level
