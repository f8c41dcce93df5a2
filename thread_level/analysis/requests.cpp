#include "thread_level/analysis/requests.h"

#include <algorithm>
#include <functional>
#include <string>

#include "thread_level/analysis/reach.h"
#include "thread_level/analysis/states.h"
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

/// Of the requests that count, the least level, if it is `from` or above.
template <class Counts>
Requested least_of(const std::vector<Request>& requests, Level from, Counts counts) {
    Requested least;
    for (const Request& request : requests) {
        if (request.levels.empty()) continue;
        const Level level = std::ranges::min(request.levels);
        const bool is_less = !least.level.has_value() || level < *least.level;
        if (level >= from && is_less && counts(request)) least = {.level = level, .by = &request};
    }
    return least;
}

/// Adds what threads do that have been started before.
void add_started(const Program& program, const Request& request, Reach& reach) {
    for (Node node = 0; node < program.unit().functions.size(); ++node) {
        for (const CallEdge& edge : program.calls(node)) {
            if (edge.kind != CallKind::Start) continue;
            const Reach behind(program, node, edge.step);
            if (behind.is_open() || behind.has(request.function, request.step)) reach.add(edge.to);
        }
    }
}

bool has_team_in(const Program& program, const Reach& reach) {
    for (FunctionId id = 0; id < program.unit().functions.size(); ++id) {
        const std::span<const Region> regions = program.regions(id);
        const std::span<const Step> steps = program.steps(id);
        for (StepId step = 0; step < steps.size(); ++step) {
            if (reach.has(id, step) && has_own_team(regions[steps[step].region])) return true;
        }
    }
    return false;
}

/// Whether the level that is asked for is enough for all that is called behind it. Without one,
/// there is no team, either.
bool is_enough(const Program& program,
               const Request& request,
               const std::vector<SiteVerdict>& sites) {
    Reach reach(program, request.function, request.step);
    if (program.starts_threads()) add_started(program, request, reach);
    if (reach.is_open()) return false;
    const Level level = std::ranges::min(request.levels);
    if (level == Level::Single && has_team_in(program, reach)) return false;
    return std::ranges::none_of(sites, [&](const SiteVerdict& verdict) {
        const Site& site = verdict.site;
        return site.states != 0 && site.required > level && reach.has(site.function, site.step);
    });
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
            const Value& level = step.mpi.level;
            if (use == Use::Init) {
                request.levels.push_back(Level::Single);
            } else if (level.kind == Value::Kind::Constant && level.number >= kChosenLevel) {
                add(level.number - kChosenLevel, request.levels);
                request.is_choice = true;
            } else if (!add_levels(program, executed, function, level, 0, request.levels)) {
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

Requested requested_level(const Program& program,
                          const std::vector<Request>& requests,
                          const std::vector<SiteVerdict>& sites,
                          const Settings& settings) {
    if (settings.requested.has_value()) return {.level = settings.requested};
    const Requested least = least_of(requests, Level::Single, [](const Request&) { return true; });
    Level required = Level::Single;
    for (const SiteVerdict& verdict : sites)
        if (verdict.site.states != 0) required = std::max(required, verdict.site.required);
    const auto asks_for_more = [&](const Request& each) {
        return !each.levels.empty() && std::ranges::min(each.levels) != *least.level;
    };
    if (std::ranges::none_of(requests, asks_for_more)) return least;
    const Requested refused = least_of(requests, Level::Single, [&](const Request& each) {
        return !is_enough(program, each, sites);
    });
    if (refused.level.has_value()) return refused;
    const Requested enough = least_of(requests, required, [](const Request&) { return true; });
    return enough.level.has_value() ? enough : least;
}

}  // namespace mqinspect::thread_level
