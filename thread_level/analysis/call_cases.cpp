#include "thread_level/analysis/call_cases.h"

#include <algorithm>
#include <optional>

#include "thread_level/analysis/gather.h"
#include "thread_level/facts/flag_facts.h"
#include "thread_level/facts/relations.h"
#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {
namespace {

constexpr int kMostCalls = 8;  // of calls, each with an argument that its callee hands on
constexpr std::size_t kMostPositions = 64;

/// What a flag is that is computed of an argument, where those are known.
std::optional<std::int64_t> flag_where(const Value& flag,
                                       const Arguments& known,
                                       const Strings& strings) {
    const auto position = static_cast<std::size_t>(flag.number);
    if (position >= known.size() || !known[position]) return std::nullopt;
    const auto is_wrong = [&](const FlagFact& fact) {
        return !may_hold(fact.condition, fact.number, *known[position]);
    };
    const FlagFacts facts = facts_of_name(strings[flag.name]);
    if (std::ranges::any_of(facts.if_true, is_wrong)) return 0;
    if (std::ranges::any_of(facts.if_false, is_wrong)) return 1;
    return std::nullopt;
}

}  // namespace

CallCases::CallCases(const Program& program, const AllSummaries& summaries, Exclusions& exclusions)
    : program_(program),
      summaries_(summaries),
      exclusions_(exclusions),
      tested_(program.unit().functions.size()) {
    for (const std::vector<Node>& component : program.components()) {
        for (const Node node : component) {
            if (program.is_function(node)) find_tested(node);
        }
    }
}

void CallCases::test(FunctionId function, const Value& value) {
    if (!is_whole_parameter(value) || value.number < 0) return;
    const auto position = static_cast<std::size_t>(value.number);
    if (position >= kMostPositions) return;
    if (tested_[function].size() <= position) tested_[function].resize(position + 1, false);
    tested_[function][position] = true;
}

void CallCases::find_tested(FunctionId function) {
    for (const Region& region : program_.regions(function)) {
        if (compares_argument(region) || asks_argument(region)) test(function, region.tested);
    }
    for (const Step& step : program_.steps(function)) {
        const bool is_test = step.kind == StepKind::Acquire && step.turn != Turn::No;
        if (is_test && !step.arguments.empty()) test(function, step.arguments.front());
    }
    for (const CallEdge& edge : program_.calls(function)) {
        if (edge.kind != CallKind::Call || !program_.is_function(edge.to)) continue;
        const std::vector<Value>& arguments = program_.steps(function)[edge.step].arguments;
        const std::vector<bool>& below = tested_[edge.to];
        for (std::size_t i = 0; i < arguments.size() && i < below.size(); ++i) {
            Value value = arguments[i];
            if (is_flag_of_parameter(value)) value.name = 0;
            if (below[i]) test(function, value);
        }
    }
}

const CallCase* CallCases::of_call(FunctionId callee,
                                   const std::vector<Value>& arguments,
                                   const Arguments& known) {
    if (callee >= tested_.size() || tested_[callee].empty() || depth_ == kMostCalls) return nullptr;
    const std::vector<bool>& tested = tested_[callee];
    Arguments handed(tested.size());
    bool is_any = false;
    for (std::size_t i = 0; i < tested.size() && i < arguments.size(); ++i) {
        if (!tested[i]) continue;
        const Value& value = arguments[i];
        if (value.kind == Value::Kind::Constant) {
            handed[i] = value.number;
        } else if (is_of_this_process(value, program_.unit().strings)) {
            handed[i] = kOneProcess;
        } else if (is_whole_parameter(value) && value.number >= 0 &&
                   static_cast<std::size_t>(value.number) < known.size()) {
            handed[i] = known[static_cast<std::size_t>(value.number)];
        }
        if (is_flag_of_parameter(value))
            handed[i] = flag_where(value, known, program_.unit().strings);
        is_any = is_any || handed[i].has_value();
    }
    if (!is_any || program_.steps(callee).empty()) return nullptr;
    const auto [found, is_new] = cases_.try_emplace({callee, handed});
    if (!is_new) return &found->second;
    ++depth_;
    const auto effects = effects_of_calls(program_, callee, summaries_, exclusions_, *this, handed);
    Shape shape(program_, callee, exclusions_);
    Flow flow(program_, shape, effects, exclusions_, handed);
    found->second.locks = flow.locks_at_end(0);
    found->second.may_pass_barrier = flow.may_pass_barrier(0);
    found->second.must_pass_barrier = flow.must_pass_barrier(0);
    find_groups(callee, flow, found->second);
    --depth_;
    return &found->second;
}

/// Calls that nothing tells apart in general may be told apart here.
void CallCases::find_groups(FunctionId callee, Flow& flow, CallCase& found) const {
    if (summaries_[callee].empty()) return;
    for (const Group& group : summaries_[callee].front().groups) {
        CallCase::GroupCase& one = found.groups.emplace_back();
        for (const Origin& origin : group.origins) {
            if (!flow.before(origin.step).is_reached) continue;
            one.is_reached = true;
            one.at_entry = one.at_entry || is_at_entry(group, origin.step, flow);
            one.at_exit = one.at_exit || is_at_exit(group, origin.step, flow);
        }
    }
}

}  // namespace mqinspect::thread_level
