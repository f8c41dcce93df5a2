#include "thread_level/analysis/turns.h"

#include <algorithm>
#include <map>
#include <optional>

#include "thread_level/analysis/loops.h"
#include "thread_level/analysis/program.h"

namespace mqinspect::thread_level {
namespace {

struct Write {
    FunctionId function = 0;
    StepId step = 0;
};

std::map<StringId, std::vector<Write>> writes_of(const Program& program) {
    std::map<StringId, std::vector<Write>> writes;
    for (FunctionId id = 0; id < program.unit().functions.size(); ++id) {
        const std::span<const Step> steps = program.steps(id);
        for (StepId step = 0; step < steps.size(); ++step) {
            if (steps[step].kind == StepKind::Release && steps[step].turn != Turn::No)
                writes[steps[step].value.name].push_back({id, step});
        }
    }
    return writes;
}

std::optional<std::int64_t> first_value(const Program& program, const Write& write) {
    const std::vector<Value>& arguments = program.steps(write.function)[write.step].arguments;
    if (arguments.size() < 2 || arguments[1].kind != Value::Kind::Constant) return std::nullopt;
    return arguments[1].number;
}

/// Written by `start` before it starts the thread, to what the variable is anyway.
bool is_before(const Program& program,
               const Write& write,
               const CallerEdge& start,
               std::int64_t first) {
    if (write.function != start.from) return false;
    const std::span<const Step> steps = program.steps(write.function);
    const std::vector<Value>& written = steps[write.step].arguments;
    return !leads_to(steps, start.step, write.step) && !written.empty() &&
           written.front().kind == Value::Kind::Constant && written.front().number == first;
}

}  // namespace

std::unordered_map<FunctionId, FirstTurns> first_turns_of(const Program& program) {
    std::unordered_map<FunctionId, FirstTurns> turns;
    const std::map<StringId, std::vector<Write>> writes = writes_of(program);
    if (writes.empty() || !program.starts_threads()) return turns;
    for (FunctionId id = 0; id < program.unit().functions.size(); ++id) {
        const std::span<const CallerEdge> callers = program.callers(id);
        if (callers.size() != 1 || callers.front().kind != CallKind::Start ||
            !program.is_function(callers.front().from))
            continue;
        const CallerEdge& start = callers.front();
        if (is_in_loop(program.steps(start.from), start.step)) continue;
        std::vector<bool> executed(program.nodes(), false);
        program.add_executed(id, executed);
        for (const auto& [variable, all] : writes) {
            const std::optional<std::int64_t> first = first_value(program, all.front());
            if (!first) continue;
            const bool is_own = std::all_of(all.begin(), all.end(), [&](const Write& write) {
                return executed[write.function] || is_before(program, write, start, *first);
            });
            const bool writes_it =
                std::any_of(all.begin(), all.end(), [&](const Write& write) -> bool {
                    return executed[write.function];
                });
            if (is_own && writes_it)
                turns[id].emplace_back(variable, static_cast<std::uint32_t>(*first));
        }
    }
    return turns;
}

}  // namespace mqinspect::thread_level
