#include "thread_level/analysis/requests.h"

#include <algorithm>
#include <functional>
#include <string>

#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {
namespace {

constexpr int kMostCallsUp = 4;

void add(std::int64_t number, std::vector<Level>& levels) {
    constexpr std::int64_t highest = 3;
    if (number < 0 || number > highest) return;
    const auto level = static_cast<Level>(number);
    if (std::find(levels.begin(), levels.end(), level) == levels.end()) levels.push_back(level);
}

/// Whether what has the member called `name` is written as a whole.
bool is_written_around(const Program& program, const std::string& name) {
    const Strings& strings = program.unit().strings;
    for (auto dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1)) {
        const StringId whole = strings.find(name.substr(0, dot) + std::string(kAllMembers));
        if (whole != Strings::kNoString && program.variable(whole) != nullptr) return true;
    }
    return false;
}

/// What the program executes from main() on, by node; without a main function, all.
std::vector<bool> executed_by_main(const Program& program) {
    std::vector<bool> executed(program.nodes(), false);
    bool has_main = false;
    for (FunctionId id = 0; id < program.unit().functions.size(); ++id) {
        if (!program.is_main(id)) continue;
        has_main = true;
        program.add_executed(id, executed);
    }
    if (!has_main) executed.assign(executed.size(), true);
    return executed;
}

/// What `value` may be in `function`, as far as that is `executed`. False: something else, too.
bool add_levels(const Program& program,
                const std::vector<bool>& executed,
                FunctionId function,
                const Value& value,
                int depth,
                std::vector<Level>& levels) {
    if (value.kind == Value::Kind::Constant) {
        add(value.number, levels);
        return true;
    }
    if (value.kind == Value::Kind::Global) {
        const Variable* variable = program.variable(value.name);
        if (variable == nullptr || !variable->has_constant ||
            is_written_around(program, program.unit().strings[value.name]))
            return false;
        add(variable->constant, levels);
        return true;
    }
    if (!is_whole_parameter(value) || depth == kMostCallsUp) return false;
    const auto number = static_cast<std::size_t>(value.number);
    bool is_known = !program.callers(function).empty();
    for (const CallerEdge& caller : program.callers(function)) {
        if (executed[function] && !executed[caller.from]) continue;
        if (caller.kind != CallKind::Call) return false;
        const Step& call = program.steps(caller.from)[caller.step];
        is_known =
            is_known && number < call.arguments.size() &&
            add_levels(program, executed, caller.from, call.arguments[number], depth + 1, levels);
    }
    return is_known;
}

bool is_of_one_thread(const Program& program, const Request& request) {
    const std::span<const Region> regions = program.regions(request.function);
    RegionId region = program.steps(request.function)[request.step].region;
    for (; region != 0; region = regions[region].parent) {
        if (program.condition(regions[region]).condition == Condition::OneThread) return true;
    }
    return false;
}

}  // namespace

std::vector<Request> requests_of(const Program& program, const Contexts& contexts) {
    std::vector<Request> requests;
    const std::vector<bool> executed = executed_by_main(program);
    for (FunctionId function = 0; function < program.unit().functions.size(); ++function) {
        if (contexts.entered(function) == 0) continue;
        const std::span<const Step> steps = program.steps(function);
        for (StepId id = 0; id < steps.size(); ++id) {
            const Step& step = steps[id];
            if (step.kind != StepKind::Mpi) continue;
            const Use use = program.procedure(step.name).use;
            if (use != Use::Init && use != Use::InitThread && use != Use::SessionInit) continue;
            if (contexts.states_in(function, step.region) == 0) continue;
            Request& request = requests.emplace_back();
            request.function = function;
            request.step = id;
            if (use == Use::Init) {
                request.levels.push_back(Level::Single);
            } else if (!add_levels(
                           program, executed, function, step.mpi.level, 0, request.levels)) {
                request.levels.clear();
            }
        }
    }
    // Other files may call the others, but main() knows what it needs.
    const auto is_of_main = [&](const Request& each) { return executed[each.function]; };
    if (std::ranges::any_of(requests, is_of_main)) std::erase_if(requests, std::not_fn(is_of_main));
    const auto is_for_one = [&](const Request& each) { return is_of_one_thread(program, each); };
    if (!std::ranges::all_of(requests, is_for_one)) std::erase_if(requests, is_for_one);
    return requests;
}

Requested requested_level(const std::vector<Request>& requests, const Settings& settings) {
    if (settings.requested.has_value()) return {.level = settings.requested};
    Requested least;
    for (const Request& request : requests) {
        for (const Level level : request.levels) {
            if (!least.level.has_value() || level < *least.level)
                least = {.level = level, .by = &request};
        }
    }
    return least;
}

}  // namespace mqinspect::thread_level
