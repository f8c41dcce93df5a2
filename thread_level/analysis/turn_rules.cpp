#include <set>
#include <string>
#include <utility>

#include "thread_level/analysis/rules.h"
#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {
namespace {

/// The lock that both hold under a condition; empty: a caller of the function holds it.
std::string lock_of(const Evidence& evidence, const Group& a, const Group& b) {
    Exclusions& exclusions = evidence.summaries.exclusions();
    const ExclusionSet common = exclusions.intersect(exclusions.unite(a.exclusions, a.perhaps),
                                                     exclusions.unite(b.exclusions, b.perhaps));
    for (const ExclusionId id : exclusions.members(common)) {
        if (exclusions[id].name != 0) return quoted_variable(evidence, exclusions[id].name);
    }
    return {};
}

/// One call, one after the other executed by threads, of which each hands over what is its own:
/// what one thread gets from the others depends on their order.
bool depends_on_order(const Group& group) {
    const Value& own = group.object.value;
    const bool is_number = own.kind == Value::Kind::ThreadNumber && is_number_or_sum(own);
    return is_number || (own.kind == Value::Kind::Element && own.number != 0);
}

void check_order(const Evidence& evidence, const Pair& pair, Clusters& clusters) {
    const Group& a = evidence.verdicts.first_of(pair);
    const Group& b = evidence.verdicts.second_of(pair);
    const bool is_self = pair.first == pair.second && !pair.has_two_ways;
    if (!pair.is_unordered || (is_self && !depends_on_order(a))) return;
    if (a.procedure.use != Use::Collective || b.procedure.use != Use::Collective) return;
    const bool is_one_call = pair.scope != 0 || pair.mode != Mode::Team;
    if (evidence.handles.compare(a.communicator, b.communicator, is_one_call) != Sameness::Same)
        return;
    const Verdicts::Route first = evidence.verdicts.route_to(pair, false);
    const Verdicts::Route second =
        evidence.verdicts.route_to(pair, true, pair.has_two_ways ? first.step : kNone);
    if (first.step == kNone || second.step == kNone) return;
    const std::vector<std::uint64_t> key = {0, pair.function, pair.scope};
    if (clusters.find(key) != nullptr) return;
    Diagnostic diagnostic = at_call(evidence, Rule::CollectiveOrder, first.function, first.step);
    diagnostic.required = Level::Serialized;
    const std::string call = quoted_call(evidence, first.function, first.step);
    if (is_self) {
        const Value& own = a.object.value;
        const StringId array = own.kind == Value::Kind::Element ? own.name : 0;
        diagnostic.message =
            "one thread at a time calls " + call + " with " +
            (array == 0 ? "an argument of its own"
                        : "its own element of " + quoted_variable(evidence, array)) +
            ", but each may come first, and other processes may have them the "
            "other way round";
        diagnostic.fix = "use 'ordered', or a communicator for each thread";
    } else {
        diagnostic.message =
            call + " and " + quoted_call(evidence, second.function, second.step) +
            " on the same communicator exclude each other, but each may come first, and other "
            "processes may have them the other way round";
        diagnostic.fix = "put a barrier between them, or use a second communicator";
        diagnostic.steps.emplace_back(second.function, second.step);
        diagnostic.remarks.push_back(
            {.place = evidence.step(second.function, second.step).place,
             .message = quoted_call(evidence, second.function, second.step) + " is called here"});
    }
    clusters.add(key, std::move(diagnostic));
}

using Calls = std::set<std::pair<FunctionId, StepId>>;

/// `told`: the calls that it was already said of.
void check_condition(const Evidence& evidence, const Pair& pair, Clusters& clusters, Calls& told) {
    if (!evidence.is_required_above(Level::Multiple)) return;
    const Verdicts::Route route = evidence.verdicts.route_to(pair, false);
    if (route.step == kNone || !told.emplace(route.function, route.step).second) return;
    const SiteVerdict* verdict = evidence.verdicts.site_of(route.function, route.step);
    if (verdict != nullptr && verdict->cause != kNone) return;  // something else is worse
    const std::vector<std::uint64_t> key = {1, pair.function, pair.scope};
    if (clusters.find(key) != nullptr) return;
    Diagnostic diagnostic = at_call(evidence, Rule::ConditionalLock, route.function, route.step);
    diagnostic.severity = Severity::Note;
    diagnostic.required = Level::Serialized;
    const std::string lock =
        lock_of(evidence, evidence.verdicts.first_of(pair), evidence.verdicts.second_of(pair));
    diagnostic.message = "one thread at a time calls " +
                         quoted_call(evidence, route.function, route.step) +
                         " only where it really takes the lock" + (lock.empty() ? "" : " ") + lock +
                         ", which depends on more than what is seen here; else it needs "
                         "MPI_THREAD_MULTIPLE";
    clusters.add(key, std::move(diagnostic));
}

}  // namespace

void check_turns(const Evidence& evidence) {
    Clusters clusters(evidence.assessment);
    Calls told;
    for (const Pair& pair : evidence.verdicts.turns()) {
        if (pair.meeting == Meeting::InTurn) {
            check_order(evidence, pair, clusters);
        } else {
            check_condition(evidence, pair, clusters, told);
        }
    }
}

}  // namespace mqinspect::thread_level
