#include "thread_level/analysis/possible_values.h"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "thread_level/analysis/program.h"
#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {
namespace {

constexpr std::size_t kMostValues = 63;

class WayFinder {
public:
    WayFinder(const Program& program, std::vector<WayToWrite>& all)
        : program_(program), all_(all) {}

    /// `parameter`: of the function at the end of the way, the one that is written.
    void follow(WayToWrite way, std::optional<std::int64_t> parameter);

private:
    static constexpr std::size_t kMostCalls = 6;
    static constexpr std::size_t kMostWays = 256;

    void follow_call(WayToWrite way, std::int64_t parameter, const CallerEdge& edge);

    const Program& program_;
    std::vector<WayToWrite>& all_;
};

void WayFinder::follow(WayToWrite way, std::optional<std::int64_t> parameter) {
    const TurnWrite at = way.way.back();
    const RegionId region = program_.steps(at.function)[at.step].region;
    const bool is_of_team = is_in_team(program_, at.function, region);
    way.is_of_starter = !is_of_team && is_serial(program_, at.function);
    const std::span<const CallerEdge> callers = program_.callers(at.function);
    const bool is_settled = (way.is_of_starter || is_of_team) && !parameter;
    const bool is_enough = way.way.size() == kMostCalls || all_.size() >= kMostWays;
    if (is_settled || is_enough || callers.empty()) {
        all_.push_back(std::move(way));
        return;
    }
    for (const CallerEdge& edge : callers) {
        if (edge.kind == CallKind::Call && program_.is_function(edge.from)) {
            follow_call(way, parameter.value_or(-1), edge);
        } else {
            all_.push_back(way);
        }
    }
}

/// `parameter`: -1 if that does not matter.
void WayFinder::follow_call(WayToWrite way, std::int64_t parameter, const CallerEdge& edge) {
    way.way.push_back({.function = edge.from, .step = edge.step});
    const std::vector<Value>& arguments = program_.steps(edge.from)[edge.step].arguments;
    const auto position = static_cast<std::size_t>(parameter);
    std::optional<std::int64_t> further;
    if (parameter >= 0 && position < arguments.size()) {
        const Value& value = arguments[position];
        if (value.kind == Value::Kind::Constant) way.to = value.number;
        if (is_whole_parameter(value)) further = value.number;
    }
    follow(std::move(way), further);
}

/// The constant of a step that tests the variable or writes to it.
std::optional<std::int64_t> number_of(const Step& step) {
    const bool is_number =
        !step.arguments.empty() && step.arguments.front().kind == Value::Kind::Constant;
    return is_number ? std::optional(step.arguments.front().number) : std::nullopt;
}

}  // namespace

PossibleValues::PossibleValues(const Program& program, const TurnWrites& writes, StringId variable)
    : program_(program), writes_(writes), variable_(variable) {
    for (const TurnWrite& write : writes.all().at(variable)) {
        const std::vector<Value>& arguments = program.steps(write.function)[write.step].arguments;
        const bool is_handed = !arguments.empty() && arguments.front().name == 0 &&
                               arguments.front().kind == Value::Kind::Parameter;
        WayFinder(program, ways_)
            .follow({.way = {write}, .to = written_value(program, write)},
                    is_handed ? std::optional(arguments.front().number) : std::nullopt);
    }
    find_values();
}

void PossibleValues::find_values() {
    std::set<PossibleValue> values{std::nullopt};
    const PossibleValue first = writes_.first_value(variable_);
    values.insert(first);
    for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
        for (const Step& step : program_.steps(id)) {
            const bool is_turn = step.turn != Turn::No && step.value.name == variable_;
            if (is_turn && number_of(step)) values.insert(number_of(step));
        }
    }
    for (const WayToWrite& way : ways_)
        values.insert(way.to);
    values_.assign(values.begin(), values.end());
    // Those that are too many are as all others are.
    if (values_.size() > kMostValues) values_.resize(kMostValues);
    for (const WayToWrite& way : ways_) {
        if (!way.is_of_starter) of_threads_ |= bit(way.to);
    }
}

/// What is not known may be any of them.
PossibleValues::Mask PossibleValues::bit(PossibleValue value) const {
    const auto found = std::find(values_.begin(), values_.end(), value);
    if (!value || found == values_.end()) return all();
    return Mask{1} << static_cast<unsigned>(found - values_.begin());
}

PossibleValues::Mask PossibleValues::found_by(const Step& test, Mask values) const {
    const std::optional<std::int64_t> number = number_of(test);
    const bool is_test = test.value.name == variable_ && number && tests_turn(test);
    const auto found = std::find(values_.begin(), values_.end(), number);
    if (!is_test || found == values_.end()) return values;
    return test.turn == Turn::Is ? values & bit(number) : values & ~bit(number);
}

/// A function that writes to it may leave it as it is, too.
PossibleValues::State PossibleValues::after_calls(TurnWrite at, State state) const {
    for (const CallEdge& edge : program_.calls_of(at.function, at.step)) {
        if (!writes_.may_write(edge.to, variable_)) continue;
        state.has_threads = true;
        if (edge.kind == CallKind::Start) continue;
        bool is_known = false;
        for (const WayToWrite& way : ways_) {
            const TurnWrite last = way.way.back();
            if (last.function != at.function || last.step != at.step) continue;
            is_known = true;
            state.values |= bit(way.to);
        }
        if (!is_known) state.values = all();
    }
    return state;
}

PossibleValues::State PossibleValues::after(TurnWrite at, State state) const {
    const Step& step = program_.steps(at.function)[at.step];
    if (step.kind == StepKind::Acquire) {
        state.values = found_by(step, state.values);
        return state;
    }
    const bool is_write = writes_turn(step) && step.value.name == variable_;
    if (is_write)
        state.values = step.turn == Turn::Written ? bit(written_value(program_, at)) : all();
    State changed = after_calls(at, state);
    const bool is_new = is_write || changed != state;
    if (is_new && changed.has_threads) changed.values |= of_threads_;
    return changed;
}

/// What the variable is where a function begins is known of main() alone.
const std::vector<PossibleValues::State>& PossibleValues::states_of(FunctionId function) {
    const auto [at, is_new] = states_.try_emplace(function);
    std::vector<State>& before = at->second;
    if (!is_new) return before;
    const std::span<const Step> steps = program_.steps(function);
    before.resize(steps.size());
    std::vector<bool> is_reached(steps.size(), false);
    const bool is_main = program_.is_main(function);
    const PossibleValue first = writes_.first_value(variable_);
    constexpr Mask other = 1;  // it comes first
    before.front() = {.values = !is_main ? all()
                                : first  ? bit(first)
                                         : other,
                      .has_threads = !is_main};
    is_reached.front() = true;
    std::vector<StepId> open{0};
    while (!open.empty()) {
        const StepId id = open.back();
        open.pop_back();
        const State state = after({.function = function, .step = id}, before[id]);
        for (const StepId next : steps[id].next) {
            const State old = before[next];
            before[next].values |= state.values;
            before[next].has_threads = old.has_threads || state.has_threads;
            if (is_reached[next] && before[next] == old) continue;
            is_reached[next] = true;
            open.push_back(next);
        }
    }
    return before;
}

std::vector<PossibleValue> PossibleValues::before(TurnWrite at) {
    const State& state = states_of(at.function)[at.step];
    std::vector<PossibleValue> values;
    for (std::size_t i = 0; i < values_.size(); ++i) {
        if ((state.values >> i & 1) != 0) values.push_back(values_[i]);
    }
    return values;
}

}  // namespace mqinspect::thread_level
