#include <string>

#include "thread_level/analysis/rules.h"
#include "thread_level/analysis/states.h"

namespace mqinspect::thread_level {
namespace {

constexpr StateSet kTeamless = set_of(State::Serial) | kForeignSet;

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
                   condition == Condition::ThreadIsNotZero ||
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

class NestingRule {
public:
    explicit NestingRule(const Evidence& evidence) : evidence_(evidence) {}

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
            if ((here & ~kTeamless) == 0) continue;
            if (keeper == 0 && (entry & kOneOfTeam) == 0) continue;
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
            diagnostic.remarks.push_back(
                {.place = around.place, .message = "the " + kind_of(around) + " begins here"});
        } else {
            diagnostic.message += "what only one thread executes";
        }
        if (!add_region(evidence_, function, keeper, diagnostic))
            add_chain(evidence_, function, state, diagnostic);
        evidence_.assessment.diagnostics.push_back(std::move(diagnostic));
    }

    const Evidence& evidence_;
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
