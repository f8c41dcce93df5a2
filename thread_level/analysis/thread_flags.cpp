#include "thread_level/analysis/thread_flags.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "thread_level/analysis/guarding.h"
#include "thread_level/analysis/program.h"
#include "thread_level/analysis/turn_values.h"
#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {
namespace {

constexpr int kMostCallsUp = 3;

/// What the one way of a test has waited for, which is to be on the other one, too.
struct Wait {
    FunctionId function = 0;
    StepId without = kNone;  ///< where there is no thread
    Step waited;
};

class ThreadFlags {
public:
    explicit ThreadFlags(const Program& program) : program_(program), writes_(program) {}

    std::optional<Unit> run();

private:
    using Starts = std::vector<TurnWrite>;

    bool may_wait(const Step& step, StringId flag) const;
    bool may_join(const Step& step) const;
    std::vector<Step> joins_in(FunctionId callee) const;
    std::vector<Step> waits_at(FunctionId function, StepId step, StringId flag) const;
    std::vector<Step> waits_behind(FunctionId function, const ZeroTest& test) const;
    Starts starts_of(StringId said) const;
    Starts starts_of(const Step& wait) const;
    bool is_behind(const TurnWrite& write, const Step& wait) const;
    bool may_start(FunctionId function, const std::vector<bool>& steps, const Starts& starts) const;
    bool sets(TurnWrite at, StringId flag) const;
    bool is_set_around(TurnWrite start, StringId flag, int depth) const;
    bool says_whether_started(StringId flag, const Step& wait, const Starts& starts) const;
    void find_waits(FunctionId function);

    const Program& program_;
    TurnWrites writes_;
    std::vector<std::pair<TurnWrite, Node>> starts_;  // of threads
    std::vector<Wait> waits_;
};

/// Whether it has found a variable other than `flag` to be what a thread may write to it.
bool ThreadFlags::may_wait(const Step& step, StringId flag) const {
    return tests_turn(step) && step.value.name != flag && !step.arguments.empty() &&
           step.arguments.front().kind == Value::Kind::Constant &&
           is_number(program_.turns(), step.value.name) && !starts_of(step.value.name).empty();
}

/// Whether it joins what is in a static variable, or in a member of the object that the function
/// gets: a flag beside that is known of the only object alone.
bool ThreadFlags::may_join(const Step& step) const {
    const bool is_kept = step.value.kind == Value::Kind::Global ||
                         (step.value.kind == Value::Kind::Parameter && step.value.name != 0);
    return step.kind == StepKind::JoinThread && is_kept && !starts_of(step).empty();
}

/// Those that all ways through the function come by.
std::vector<Step> ThreadFlags::joins_in(FunctionId callee) const {
    const std::span<const Step> steps = program_.steps(callee);
    std::vector<Step> joins;
    for (StepId id = 0; id < steps.size(); ++id) {
        if (!may_join(steps[id])) continue;
        std::vector<bool> passed(steps.size(), false);
        passed[id] = true;
        const std::vector<bool> without = reached_from(steps, 0, passed);
        bool is_sure = true;
        for (StepId end = 0; end < steps.size() && is_sure; ++end)
            is_sure = steps[end].kind != StepKind::Exit || !without[end];
        if (is_sure) joins.push_back(steps[id]);
    }
    return joins;
}

/// What the step has found or joined, or the function that it calls, on all ways of that.
std::vector<Step> ThreadFlags::waits_at(FunctionId function, StepId id, StringId flag) const {
    const Step& step = program_.steps(function)[id];
    if (may_wait(step, flag) || may_join(step)) return {step};
    const auto calls = program_.calls_of(function, id);
    if (calls.size() != 1 || calls.front().kind != CallKind::Call ||
        !program_.is_function(calls.front().to))
        return {};
    const FunctionId callee = calls.front().to;
    const std::span<const Step> steps = program_.steps(callee);
    std::vector<Step> waits = joins_in(callee);
    for (const Step& wait : steps) {
        if (!may_wait(wait, flag)) continue;
        bool is_sure = true;
        for (StepId end = 0; end < steps.size() && is_sure; ++end) {
            is_sure =
                steps[end].kind != StepKind::Exit || comes_in_turn(program_,
                                                                   writes_,
                                                                   {callee, end},
                                                                   wait.value.name,
                                                                   wait.arguments.front().number,
                                                                   wait.turn == Turn::Is);
        }
        if (is_sure) waits.push_back(wait);
    }
    return waits;
}

/// Those that all ways come by on which there is a thread, to where the others come, too.
std::vector<Step> ThreadFlags::waits_behind(FunctionId function, const ZeroTest& test) const {
    const std::span<const Step> steps = program_.steps(function);
    std::vector<bool> nowhere(steps.size(), false);
    const std::vector<bool> others = reached_from(steps, test.is_zero, nowhere);
    const std::vector<bool> own = reached_from(steps, test.is_not, nowhere);
    std::vector<Step> all;
    for (StepId id = 0; id < steps.size(); ++id) {
        if (!own[id] || others[id]) continue;
        const std::vector<Step> waits = waits_at(function, id, test.variable);
        if (waits.empty()) continue;
        std::vector<bool> passed(steps.size(), false);
        passed[id] = true;
        const std::vector<bool> without = reached_from(steps, test.is_not, passed);
        bool is_passed = true;
        for (StepId to = 0; to < steps.size() && is_passed; ++to) {
            const bool is_over = to != id && (others[to] || steps[to].kind == StepKind::Exit);
            is_passed = !without[to] || !is_over;
        }
        if (is_passed) all.insert(all.end(), waits.begin(), waits.end());
    }
    return all;
}

/// Of threads that may write to the variable by which they say that they are done.
ThreadFlags::Starts ThreadFlags::starts_of(StringId said) const {
    Starts starts;
    for (const auto& [start, thread] : starts_)
        if (writes_.may_write(thread, said)) starts.push_back(start);
    return starts;
}

/// Of threads that the step waits for.
ThreadFlags::Starts ThreadFlags::starts_of(const Step& wait) const {
    if (wait.kind != StepKind::JoinThread) return starts_of(wait.value.name);
    Starts starts;
    for (const auto& [start, thread] : starts_)
        if (program_.steps(start.function)[start.step].value == wait.value) starts.push_back(start);
    return starts;
}

/// Whether who executes the write has waited like that before.
bool ThreadFlags::is_behind(const TurnWrite& write, const Step& wait) const {
    if (wait.kind != StepKind::JoinThread) {
        const std::int64_t number = wait.arguments.front().number;
        const bool is_equal = wait.turn == Turn::Is;
        return comes_in_turn(program_, writes_, write, wait.value.name, number, is_equal);
    }
    const std::span<const Step> steps = program_.steps(write.function);
    std::vector<bool> joins(steps.size(), false);
    for (StepId id = 0; id < steps.size(); ++id)
        joins[id] = steps[id].kind == StepKind::JoinThread && steps[id].value == wait.value;
    return !reached_from(steps, 0, joins)[write.step];
}

/// Whether one of the steps starts such a thread, or calls what does.
bool ThreadFlags::may_start(FunctionId function,
                            const std::vector<bool>& steps,
                            const Starts& starts) const {
    std::vector<bool> starting(program_.nodes(), false);
    std::vector<Node> open;
    for (const TurnWrite& start : starts) {
        if (start.function == function && steps[start.step]) return true;
        open.push_back(start.function);
    }
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        if (starting[node]) continue;
        starting[node] = true;
        for (const CallerEdge& caller : program_.callers(node))
            open.push_back(caller.from);
    }
    return std::ranges::any_of(program_.calls(function), [&](const CallEdge& edge) {
        return steps[edge.step] && starting[edge.to];
    });
}

bool ThreadFlags::sets(TurnWrite at, StringId flag) const {
    const Step& step = program_.steps(at.function)[at.step];
    return writes_turn(step) && step.value.name == flag && written_value(program_, at) == 1;
}

/// Whether the variable is set on all ways to the start, or on all ways on from there, be it in who
/// has called the function.
bool ThreadFlags::is_set_around(TurnWrite start, StringId flag, int depth) const {
    const std::span<const Step> steps = program_.steps(start.function);
    std::vector<bool> sets_it(steps.size(), false);
    for (StepId id = 0; id < steps.size(); ++id)
        sets_it[id] = sets({start.function, id}, flag);
    if (!reached_from(steps, 0, sets_it)[start.step]) return true;
    const std::vector<bool> unset = reached_from(steps, start.step, sets_it);
    const auto returns = [&](StepId id) { return unset[id] && steps[id].kind == StepKind::Exit; };
    bool may_return = false;
    for (StepId id = 0; id < steps.size(); ++id)
        may_return = may_return || returns(id);
    if (!may_return) return true;
    const auto callers = program_.callers(start.function);
    return depth > 0 && !callers.empty() &&
           std::ranges::all_of(callers, [&](const CallerEdge& caller) {
               return caller.kind == CallKind::Call && program_.is_function(caller.from) &&
                      is_set_around({caller.from, caller.step}, flag, depth - 1);
           });
}

bool ThreadFlags::says_whether_started(StringId flag,
                                       const Step& wait,
                                       const Starts& starts) const {
    const auto writes = writes_.all().find(flag);
    if (writes == writes_.all().end() || writes_.first_value(flag) != 0) return false;
    return std::ranges::all_of(writes->second,
                               [&](const TurnWrite& write) {
                                   const auto value = written_value(program_, write);
                                   return value == 1 || (value == 0 && is_behind(write, wait));
                               }) &&
           std::ranges::all_of(starts, [&](const TurnWrite& start) {
               return is_set_around(start, flag, kMostCallsUp);
           });
}

void ThreadFlags::find_waits(FunctionId function) {
    const std::span<const Step> steps = program_.steps(function);
    for (const ZeroTest& test : zero_tests(steps)) {
        if (!is_number(program_.turns(), test.variable)) continue;
        for (const Step& wait : waits_behind(function, test)) {
            const Starts starts = starts_of(wait);
            const std::vector<bool> without =
                reached_from(steps, test.is_zero, std::vector<bool>(steps.size(), false));
            if (says_whether_started(test.variable, wait, starts) &&
                !may_start(function, without, starts))
                waits_.push_back({function, test.is_zero, wait});
        }
    }
}

std::optional<Unit> ThreadFlags::run() {
    if (writes_.all().empty()) return std::nullopt;
    for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
        for (const CallEdge& edge : program_.calls(id))
            if (edge.kind == CallKind::Start) starts_.push_back({{id, edge.step}, edge.to});
    }
    for (FunctionId id = 0; id < program_.unit().functions.size() && !starts_.empty(); ++id)
        find_waits(id);
    if (waits_.empty()) return std::nullopt;
    Unit unit = program_.unit();
    for (const Wait& wait : waits_) {
        std::vector<Step>& steps = unit.functions[wait.function].steps;
        Step waited = wait.waited;
        waited.region = steps[wait.without].region;
        waited.next = std::move(steps[wait.without].next);
        steps[wait.without].next = {static_cast<StepId>(steps.size())};
        steps.push_back(std::move(waited));
    }
    return unit;
}

}  // namespace

std::optional<Unit> with_thread_flags(const Program& program) {
    return ThreadFlags(program).run();
}

}  // namespace mqinspect::thread_level
