#include "thread_level/analysis/own_numbers.h"

#include <algorithm>
#include <optional>
#include <string>

#include "thread_level/analysis/program.h"
#include "thread_level/analysis/started_numbers.h"
#include "thread_level/analysis/sure_bits.h"
#include "thread_level/facts/flag_facts.h"
#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {
namespace {

/// Whether something else is written to the variable than what functions are handed, or 0.
bool has_others(const Unit& unit, StringId variable) {
    const WrittenNumber written = written_number(unit, variable);
    const std::string flag = name_of_flag(unit.strings[variable]);
    return written.is_number || written.is_flag || written.is_other ||
           std::ranges::binary_search(unit.other_numbers, idle_hash(flag));
}

/// All that calls one of `nodes` on the same thread, directly or not, and those.
std::set<std::uint32_t> with_callers(const Program& program, std::set<std::uint32_t> nodes) {
    std::vector<Node> open(nodes.begin(), nodes.end());
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        for (const CallerEdge& caller : program.callers(node)) {
            if (caller.kind != CallKind::Start && nodes.insert(caller.from).second)
                open.push_back(caller.from);
        }
    }
    return nodes;
}

std::vector<bool> steps_behind(std::span<const Step> steps, StepId writing) {
    const auto sure = sure_before<std::uint8_t>(
        steps, std::uint8_t{0}, [writing](StepId id, std::uint8_t before) {
            return id == writing ? std::uint8_t{1} : before;
        });
    std::vector<bool> behind(steps.size());
    for (StepId id = 0; id < steps.size(); ++id)
        behind[id] = sure[id] == std::uint8_t{1};
    return behind;
}

}  // namespace

OwnNumbers::OwnNumbers(const Program& program) {
    std::map<StringId, Nodes> keepers;
    for (FunctionId id = 0; id < program.unit().functions.size(); ++id) {
        for (const Step& step : program.steps(id)) {
            if (step.kind == StepKind::Keep &&
                program.unit().strings[step.name].starts_with(kOwnOfThread))
                keepers[step.name].insert(id);
        }
    }
    for (const auto& [variable, functions] : keepers)
        if (!has_others(program.unit(), variable)) add(program, variable, functions);
}

void OwnNumbers::add(const Program& program, StringId variable, const Nodes& keepers) {
    variables_.insert(variable);
    const Nodes writers = with_callers(program, keepers);
    for (const FunctionId keeper : keepers)
        add_function(program, variable, keeper, writers);
    for (const FunctionId keeper : keepers) {
        for (const CallerEdge& caller : program.callers(keeper)) {
            if (caller.kind == CallKind::Call && program.is_function(caller.from))
                add_function(program, variable, caller.from, writers);
        }
    }
}

/// Of a function that writes to it in one step.
void OwnNumbers::add_function(const Program& program,
                              StringId variable,
                              FunctionId function,
                              const Nodes& writers) {
    const std::span<const Step> steps = program.steps(function);
    std::optional<StepId> writing;
    for (StepId id = 0; id < steps.size(); ++id) {
        const bool keeps = steps[id].kind == StepKind::Keep && steps[id].name == variable;
        const bool calls =
            std::ranges::any_of(program.calls_of(function, id), [&writers](const CallEdge& edge) {
                return edge.kind == CallKind::Call && writers.contains(edge.to);
            });
        if (!keeps && !calls) continue;
        if (writing) return;
        writing = id;
    }
    if (!writing || !is_of_caller(program.regions(function), steps[*writing].region)) return;
    const Value value = written_by(program, variable, function, *writing);
    if (value.kind == Value::Kind::Unknown) return;
    written_[{variable, function}] = {.value = value, .behind = steps_behind(steps, *writing)};
}

/// What the step writes: a parameter of the function, a constant, or it is Unknown.
Value OwnNumbers::written_by(const Program& program,
                             StringId variable,
                             FunctionId function,
                             StepId step) const {
    const Step& writing = program.steps(function)[step];
    if (writing.kind == StepKind::Keep) return writing.value;
    const std::span<const CallEdge> edges = program.calls_of(function, step);
    const auto callee =
        edges.size() == 1 ? written_.find({variable, edges.front().to}) : written_.end();
    if (callee == written_.end() || callee->second.value.kind != Value::Kind::Parameter) return {};
    const std::span<const Step> steps = program.steps(edges.front().to);
    for (StepId id = 0; id < steps.size(); ++id)
        if (steps[id].kind == StepKind::Exit && !callee->second.behind[id]) return {};
    const Value& written = callee->second.value;
    const auto position = static_cast<std::size_t>(written.number);
    Value handed = position < writing.arguments.size() ? writing.arguments[position] : Value{};
    const bool is_member = written.name != 0;
    if (handed.kind == Value::Kind::Constant) return is_member ? Value{} : handed;
    if (handed.kind != Value::Kind::Parameter || (is_member && handed.name != 0) ||
        is_flag_of_parameter(handed))
        return {};
    if (is_member) handed.name = written.name;
    return handed;
}

const Value* OwnNumbers::written_before(StringId variable, FunctionId function, StepId step) const {
    const auto written = written_.find({variable, function});
    return written != written_.end() && written->second.behind[step] ? &written->second.value
                                                                     : nullptr;
}

}  // namespace mqinspect::thread_level
