#include <string>
#include <vector>

#include "thread_level/analysis/rules.h"
#include "thread_level/analysis/states.h"

namespace mqinspect::thread_level {
namespace {

bool is_for_one(const Region& region, Condition condition) {
    switch (region.kind) {
        case RegionKind::Single:
        case RegionKind::Section:
        case RegionKind::Master:
        case RegionKind::Masked:
        case RegionKind::Critical:
        case RegionKind::Ordered:
        case RegionKind::Task:
        case RegionKind::Taskloop:
            return true;
        case RegionKind::Guard:
            return condition == Condition::ThreadIsZero || condition == Condition::ThreadIsOther ||
                   condition == Condition::ThreadIsNotZero || condition == Condition::DrewNumber ||
                   condition == Condition::IsMainThread || condition == Condition::IsNotMainThread;
        case RegionKind::Function:
        case RegionKind::Parallel:
        case RegionKind::Teams:
        case RegionKind::Sections:
        case RegionKind::Loop:
        case RegionKind::Taskgroup:
        case RegionKind::Scope:
            break;
    }
    return false;
}

/// What keeps other threads of the team away from `region`; 0: nothing in the function; kNone: the
/// team is of a region in the function, and all of its threads come.
RegionId keeper_of(const Evidence& evidence, FunctionId function, RegionId region) {
    const std::span<const Region> regions = evidence.program.regions(function);
    for (; region != 0; region = regions[region].parent) {
        if (regions[region].kind == RegionKind::Parallel) return kNone;
        if (is_for_one(regions[region], evidence.program.condition(regions[region]).condition))
            return region;
    }
    return 0;
}

/// In which states functions are entered by threads that each have iterations of their own, or by
/// one at a time: by calls in the loops, or critical sections, of those who come there, or who were
/// called from such.
class InsideStates {
public:
    InsideStates(const Evidence& evidence, RegionKind kind)
        : evidence_(evidence), kind_(kind), states_(evidence.program.nodes(), 0) {
        const auto& components = evidence.program.components();
        for (bool changed = true; changed;) {
            changed = false;
            for (auto each = components.rbegin(); each != components.rend(); ++each) {
                for (const Node node : *each)
                    changed = pass_on(node) || changed;
            }
        }
    }

    StateSet of(FunctionId function) const { return states_[function]; }

private:
    bool pass_on(Node node) {
        bool changed = false;
        for (const CallEdge& edge : evidence_.program.calls(node)) {
            StateSet states = states_[node];
            if (edge.kind == CallKind::Start) continue;
            if (edge.kind == CallKind::Call) {
                const RegionId region = evidence_.program.steps(node)[edge.step].region;
                states = evidence_.contexts.states_in(node, region, entry_at(node, region));
            }
            const auto more = static_cast<StateSet>(states & kInTeam & ~states_[edge.to]);
            states_[edge.to] = static_cast<StateSet>(states_[edge.to] | more);
            changed = changed || more != 0;
        }
        return changed;
    }

    /// What the function has to be entered in for `region` to be in such a construct of its team.
    StateSet entry_at(Node node, RegionId region) const {
        const std::span<const Region> regions = evidence_.program.regions(node);
        for (; region != 0; region = regions[region].parent) {
            if (regions[region].kind == kind_) return evidence_.contexts.entered(node);
            if (has_own_team(regions[region])) return 0;
        }
        return states_[node];
    }

    const Evidence& evidence_;
    RegionKind kind_;
    std::vector<StateSet> states_;
};

class NestingRule {
public:
    explicit NestingRule(const Evidence& evidence)
        : evidence_(evidence),
          loops_(evidence, RegionKind::Loop),
          criticals_(evidence, RegionKind::Critical) {}

    void check(FunctionId function, StepId id) {
        const Step& step = evidence_.step(function, id);
        std::string what;
        if (step.kind == StepKind::Barrier) {
            what = "'barrier'";
        } else if (step.kind == StepKind::Enter) {
            const Region& entered = evidence_.region(function, step.target);
            const bool meets = entered.kind == RegionKind::Single ||
                               entered.kind == RegionKind::Sections ||
                               entered.kind == RegionKind::Loop;
            if (!meets) return;
            what = kind_of(entered);
        } else {
            return;
        }
        const RegionId keeper = keeper_of(evidence_, function, step.region);
        if (keeper == kNone) return;
        const StateSet entered = evidence_.contexts.entered(function);
        for (int state = 0; state < kAllStates; ++state) {
            const auto entry = static_cast<StateSet>(
                entered & static_cast<StateSet>(1U << static_cast<unsigned>(state)));
            const StateSet here = evidence_.contexts.states_in(function, step.region, entry);
            if ((here & ~kOutsideOfTeams) == 0) continue;
            const StateSet inside =
                static_cast<StateSet>(loops_.of(function) | criticals_.of(function) | kOneOfTeam);
            if (keeper == 0 && (entry & inside) == 0) continue;
            report(function, id, what, keeper, state);
            return;
        }
    }

private:
    void report(
        FunctionId function, StepId id, const std::string& what, RegionId keeper, int state) {
        Diagnostic diagnostic = at_call(evidence_, Rule::InvalidNesting, function, id);
        diagnostic.steps.clear();
        diagnostic.required = Level::Single;
        diagnostic.message = what +
                             " is not reached by all threads of the team: OpenMP does not allow "
                             "it inside of ";
        if (keeper != 0) {
            const Region& around = evidence_.region(function, keeper);
            diagnostic.message += "the " + kind_of(around) + " around it";
            diagnostic.remarks.push_back({.place = around.place,
                                          .message = "the " + kind_of(around) + " begins here",
                                          .is_on_way = true});
        } else {
            const auto entry = static_cast<StateSet>(1U << static_cast<unsigned>(state));
            const bool is_for_one = (entry & kOneOfTeam) != 0;
            const bool is_in_loop = (entry & loops_.of(function)) != 0;
            diagnostic.message += is_for_one   ? "what only one thread executes"
                                  : is_in_loop ? "a worksharing loop"
                                               : "a critical section";
        }
        if (!add_region(evidence_, function, keeper, diagnostic))
            add_chain(evidence_, function, state, diagnostic);
        evidence_.assessment.diagnostics.push_back(std::move(diagnostic));
    }

    const Evidence& evidence_;
    InsideStates loops_;
    InsideStates criticals_;
};

}  // namespace

void check_nesting(const Evidence& evidence) {
    NestingRule rule(evidence);
    for (FunctionId function = 0; function < evidence.program.unit().functions.size(); ++function) {
        if (evidence.contexts.entered(function) == 0) continue;
        const auto steps = static_cast<StepId>(evidence.program.steps(function).size());
        for (StepId id = 0; id < steps; ++id)
            rule.check(function, id);
    }
}

}  // namespace mqinspect::thread_level
