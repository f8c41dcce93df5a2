#include "thread_level/analysis/asked_groups.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "thread_level/facts/relations.h"

namespace mqinspect::thread_level {
namespace {

constexpr int kMostOrigins = 64;  // of one question
constexpr std::size_t kMostSteps = 6;

}  // namespace

AskedGroups::AskedGroups(const Program& program,
                         const Contexts& contexts,
                         const Summaries& summaries)
    : program_(program),
      contexts_(contexts),
      summaries_(summaries),
      asked_(contexts.asked_arguments()),
      asks_(program.nodes(), false) {
    for (const std::vector<Node>& component : program.components()) {
        const bool is_any =
            std::ranges::any_of(component, [this](const Node node) { return asks(node); });
        for (const Node node : component)
            asks_[node] = is_any;
    }
}

bool AskedGroups::asks(Node node) const {
    return std::ranges::any_of(program_.regions(node), asks_argument) ||
           std::ranges::any_of(program_.calls(node),
                               [this](const CallEdge& edge) { return asks_[edge.to]; });
}

bool AskedGroups::is_refuted(FunctionId function,
                             std::uint32_t scope,
                             std::uint32_t group,
                             StateSet entered) {
    entered = static_cast<StateSet>(entered & contexts_.entered(function));
    if (entered == 0) return false;
    const auto [known, is_new] = known_.try_emplace({function, scope, group}, kAnyState);
    if (is_new) {
        way_.assign(1, {.function = function});
        origins_left_ = kMostOrigins;
        known->second = may_lead(function, scope, group);
    }
    return (known->second & entered) == 0;
}

/// The states of the function at the start of the way, by all origins of a group at the end of it.
StateSet AskedGroups::may_lead(FunctionId function, std::uint32_t scope, std::uint32_t group) {
    StateSet states = 0;
    for (const Origin& origin : summaries_.scopes(function)[scope].groups[group].origins) {
        way_.back() = {.function = function, .step = origin.step};
        states = static_cast<StateSet>(states | may_lead_by(origin));
        if (states == kAnyState || --origins_left_ < 0) return kAnyState;
    }
    return states;
}

StateSet AskedGroups::may_lead_by(const Origin& origin) {
    const At at = way_.back();
    const bool is_followed = origin.node != kNone && program_.is_function(origin.node) &&
                             asks_[origin.node] && way_.size() < kMostSteps && origins_left_ > 0;
    const StepKind kind = program_.steps(at.function)[at.step].kind;
    const bool is_known = kind == StepKind::Call || kind == StepKind::Enter;
    if (!is_followed || !is_known) return may_lead_on_way();
    way_.push_back({.function = origin.node});
    const StateSet states = may_lead(origin.node, origin.scope, origin.group);
    way_.pop_back();
    return states;
}

/// What is asked of the arguments of the last function of the way is asked of those before.
StateSet AskedGroups::may_lead_on_way() {
    AskedArguments::AllAsked all;
    for (auto at = way_.rbegin(); at != way_.rend(); ++at) {
        const Step& step = program_.steps(at->function)[at->step];
        const bool is_inside = at != way_.rbegin() && step.kind != StepKind::Call;
        const bool is_call = at != way_.rbegin() && step.kind == StepKind::Call;
        if (is_call) {
            auto further = asked_.asked_of({.from = at->function, .step = at->step}, all);
            if (!further) return 0;
            all = *std::move(further);
        } else {
            if (!is_inside) all.clear();
            const auto own = asked_.asked_in(at->function, step.region);
            all.insert(all.end(), own.begin(), own.end());
        }
    }
    const At first = way_.front();
    const StateSet entered = asked_.may_be_entered(first.function, std::move(all));
    const RegionId region = program_.steps(first.function)[first.step].region;
    return contexts_.without_refuted(first.function, region, entered);
}

}  // namespace mqinspect::thread_level
