#include "thread_level/analysis/turns.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "thread_level/analysis/loops.h"
#include "thread_level/analysis/program.h"
#include "thread_level/analysis/states.h"
#include "thread_level/analysis/turn_values.h"

namespace mqinspect::thread_level {
namespace {

class TurnFinder {
public:
    explicit TurnFinder(const Program& program) : program_(program), writes_(program) {}

    Turns run() {
        if (writes_.all().empty()) return {};
        for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
            for (const Step& step : program_.steps(id)) {
                if (step.turn != Turn::No && step.name != 0)
                    turns_.owners[step.value.name] = program_.function(step.name);
            }
        }
        for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
            if (program_.starts_threads()) add_thread(id);
            add_teams(id);
        }
        return std::move(turns_);
    }

private:
    void add_thread(FunctionId id);
    void add_teams(FunctionId id);
    bool is_own(FunctionId id,
                const CallerEdge& start,
                const std::vector<bool>& executed,
                StringId variable,
                std::int64_t value,
                bool is_known) const;
    bool is_of_team(FunctionId id, RegionId team, StringId variable) const;
    bool is_serial(FunctionId id) const;
    const TurnValues& values_of(FunctionId id);

    const Program& program_;
    TurnWrites writes_;
    std::unordered_map<FunctionId, TurnValues> values_;
    Turns turns_;
};

const TurnValues& TurnFinder::values_of(FunctionId id) {
    return values_.try_emplace(id, program_, writes_, id).first->second;
}

/// Only the thread writes to the variable while it is `value`, but for what is written before: that
/// is the same, unless it `is_known` what it is then.
bool TurnFinder::is_own(FunctionId id,
                        const CallerEdge& start,
                        const std::vector<bool>& executed,
                        StringId variable,
                        std::int64_t value,
                        bool is_known) const {
    const std::vector<TurnWrite>& all = writes_.all().at(variable);
    const std::span<const Step> steps = program_.steps(start.from);
    const auto is_before = [&](const TurnWrite& write) {
        if (write.function != start.from || leads_to(steps, start.step, write.step)) return false;
        const std::vector<Value>& written = steps[write.step].arguments;
        return is_known || (!written.empty() && written.front().kind == Value::Kind::Constant &&
                            written.front().number == value);
    };
    return writes_.may_write(id, variable) &&
           std::all_of(all.begin(), all.end(), [&](const TurnWrite& write) {
               return executed[write.function] || is_before(write) ||
                      writes_in_turn(program_.steps(write.function), write.step, value);
           });
}

void TurnFinder::add_thread(FunctionId id) {
    const std::span<const CallerEdge> callers = program_.callers(id);
    if (callers.size() != 1 || callers.front().kind != CallKind::Start ||
        !program_.is_function(callers.front().from))
        return;
    const CallerEdge& start = callers.front();
    if (is_in_loop(program_.steps(start.from), start.step)) return;
    std::vector<bool> executed(program_.nodes(), false);
    program_.add_executed(id, executed);
    for (const auto& [variable, all] : writes_.all()) {
        const std::optional<std::int64_t> known =
            values_of(start.from).before(start.step, variable);
        const std::optional<std::int64_t> value = known ? known : writes_.first_value(variable);
        if (value && is_own(id, start, executed, variable, *value, known.has_value()))
            turns_.of_thread[id].emplace_back(variable, static_cast<std::uint32_t>(*value));
    }
}

void TurnFinder::add_teams(FunctionId id) {
    const std::span<const Step> steps = program_.steps(id);
    for (StepId step = 0; step < steps.size(); ++step) {
        const RegionId team = steps[step].target;
        if (steps[step].kind != StepKind::Enter || !makes_team(program_.regions(id)[team]) ||
            is_in_team(program_, id, steps[step].region))
            continue;
        for (const auto& [variable, all] : writes_.all()) {
            const auto value = values_of(id).before(step, variable);
            if (!value || !is_of_team(id, team, variable)) continue;
            turns_.of_team[{id, team}].emplace_back(variable, static_cast<std::uint32_t>(*value));
        }
    }
}

/// Whatever writes to the variable while the team executes the region, its steps say so.
bool TurnFinder::is_of_team(FunctionId id, RegionId team, StringId variable) const {
    if (!turns_.owners.contains(variable) && !is_serial(id)) return false;
    for (const TurnWrite& write : writes_.all().at(variable)) {
        const RegionId region = program_.steps(write.function)[write.step].region;
        if (write.function != id && is_in_team(program_, write.function, region)) return false;
    }
    const std::span<const Region> regions = program_.regions(id);
    for (const CallEdge& edge : program_.calls(id)) {
        const RegionId region = program_.steps(id)[edge.step].region;
        if (edge.kind == CallKind::Start && is_inside(regions, region, team) &&
            writes_.may_write(edge.to, variable))
            return false;
    }
    return true;
}

/// Neither threads nor teams execute the function.
bool TurnFinder::is_serial(FunctionId id) const {
    std::unordered_set<Node> seen{id};
    std::vector<Node> open{id};
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        for (const CallerEdge& edge : program_.callers(node)) {
            if (edge.kind == CallKind::Start) return false;
            if (edge.kind == CallKind::Call && program_.is_function(edge.from) &&
                is_in_team(program_, edge.from, program_.steps(edge.from)[edge.step].region))
                return false;
            if (seen.insert(edge.from).second) open.push_back(edge.from);
        }
    }
    return true;
}

}  // namespace

Turns turns_of(const Program& program) {
    return TurnFinder(program).run();
}

}  // namespace mqinspect::thread_level
