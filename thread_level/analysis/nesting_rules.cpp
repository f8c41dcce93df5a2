#include <map>
#include <set>
#include <string>
#include <utility>
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

StateSet only(StateSet states, int state) {
    return static_cast<StateSet>(states & (1U << static_cast<unsigned>(state)));
}

/// In which states functions are entered by threads that each have iterations of their own, or by
/// one at a time: by calls in the loops, or critical sections, of those who come there, or who were
/// called from such.
class InsideStates {
public:
    /// The call by which a function is first known to be entered so.
    struct Witness {
        Node from = kNone;
        StepId step = kNone;
        int state = 0;               ///< of the caller at its entry
        RegionId construct = kNone;  ///< kNone: the caller was called from such itself
    };

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
    Witness witness(Node node, int state) const { return witnesses_.at({node, state}); }

private:
    bool pass_on(Node node) {
        bool changed = false;
        for (const CallEdge& edge : evidence_.program.calls(node)) {
            if (edge.kind == CallKind::Start) continue;
            const bool is_call = edge.kind == CallKind::Call;
            const RegionId region = is_call ? evidence_.program.steps(node)[edge.step].region : 0;
            const RegionId construct = is_call ? construct_around(node, region) : kNone;
            StateSet entry = states_[node];
            if (construct == 0) entry = 0;
            if (construct != 0 && construct != kNone) entry = evidence_.contexts.entered(node);
            for (int state = 0; state < kAllStates; ++state) {
                const StateSet one = only(entry, state);
                const StateSet states =
                    is_call ? evidence_.contexts.states_in(node, region, one) : one;
                const Witness by{
                    .from = node, .step = edge.step, .state = state, .construct = construct};
                changed = enter(edge.to, static_cast<StateSet>(states & kInTeam), by) || changed;
            }
        }
        return changed;
    }

    bool enter(Node node, StateSet states, const Witness& by) {
        const auto more = static_cast<StateSet>(states & ~states_[node]);
        states_[node] = static_cast<StateSet>(states_[node] | more);
        for (int state = 0; state < kAllStates; ++state) {
            if (only(more, state) != 0) witnesses_.emplace(std::pair(node, state), by);
        }
        return more != 0;
    }

    /// The construct of its team that `region` is in; kNone: none, or one of a caller; 0: the team
    /// is of a region in the function, and it is in none.
    RegionId construct_around(Node node, RegionId region) const {
        const std::span<const Region> regions = evidence_.program.regions(node);
        for (; region != 0; region = regions[region].parent) {
            if (regions[region].kind == kind_) return region;
            if (has_own_team(regions[region])) return 0;
        }
        return kNone;
    }

    const Evidence& evidence_;
    RegionKind kind_;
    std::vector<StateSet> states_;
    std::map<std::pair<Node, int>, Witness> witnesses_;
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
        const auto entry = static_cast<StateSet>(1U << static_cast<unsigned>(state));
        const bool is_inside = keeper == 0 && (entry & kOneOfTeam) == 0;
        if (is_inside) {
            const bool is_in_loop = (entry & loops_.of(function)) != 0;
            add_way_inside(is_in_loop ? loops_ : criticals_, function, state, diagnostic);
        } else if (!add_region(evidence_, function, keeper, diagnostic)) {
            add_chain(evidence_, function, state, diagnostic);
        }
        evidence_.assessment.diagnostics.push_back(std::move(diagnostic));
    }

    /// By the calls in the construct, and then to where that is.
    void add_way_inside(const InsideStates& inside,
                        Node node,
                        int state,
                        Diagnostic& diagnostic) const {
        InsideStates::Witness by;
        std::set<std::pair<Node, int>> seen;
        FunctionId called = kNone;
        while (by.construct == kNone && seen.emplace(node, state).second) {
            by = inside.witness(node, state);
            if (evidence_.program.is_function(node)) called = node;
            if (by.step != kNone && evidence_.program.is_function(by.from))
                diagnostic.remarks.push_back(way_by(evidence_, called, by.from, by.step, false));
            node = by.from;
            state = by.state;
        }
        if (by.construct == kNone) return;
        const Region& construct = evidence_.region(node, by.construct);
        diagnostic.remarks.push_back({.place = construct.place,
                                      .message = "the " + kind_of(construct) + " begins here",
                                      .is_on_way = true});
        if (!add_region(evidence_, node, by.construct, diagnostic))
            add_chain(evidence_, node, state, diagnostic);
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
