#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "thread_level/analysis/probes.h"
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
    const bool is_number = own.kind == Value::Kind::ThreadNumber &&
                           (is_number_or_sum(own) || own.number == kIndexOfLoop);
    return is_number || (own.kind == Value::Kind::Element && own.number != 0);
}

/// Threads that start with the same function, in which the same call is made on the same way: there
/// is nothing that they could change places with.
bool is_same_call(const Pair& pair, const Verdicts::Route& first, const Verdicts::Route& second) {
    return !pair.has_two_ways && first.function == second.function && first.step == second.step &&
           !first.calls.empty() && first.calls.size() == second.calls.size() &&
           std::equal(first.calls.begin() + 1, first.calls.end(), second.calls.begin() + 1);
}

/// Two calls of which the data is nothing to anybody, and that are the same else.
bool are_unread(const Evidence& evidence,
                const Pair& pair,
                const Verdicts::Route& first,
                const Verdicts::Route& second) {
    const MpiArguments& a = evidence.step(first.function, first.step).mpi;
    const MpiArguments& b = evidence.step(second.function, second.step).mpi;
    const bool is_told = a.tag.kind == Value::Kind::Constant && a.tag.number >= kFirstText;
    if (!is_told || !(a.tag == b.tag)) return false;
    const Operand one{.value = a.peer, .owner = first.function};
    const Operand other{.value = b.peer, .owner = second.function};
    const bool is_without_root = a.peer == Value() && b.peer == Value();
    return is_without_root ||
           evidence.handles.compare(one, other, pair.is_one_call()) == Sameness::Same;
}

/// Whether two calls match each other, in whatever order, and there is nothing that one may get
/// that is meant for the other.
bool are_barriers(const Evidence& evidence,
                  const Verdicts::Route& first,
                  const Verdicts::Route& second) {
    const auto is_barrier = [&](const Verdicts::Route& route) {
        const StringId procedure = evidence.step(route.function, route.step).name;
        return evidence.program.unit().strings[procedure] == "MPI_Barrier";
    };
    return is_barrier(first) && is_barrier(second);
}

void check_order(const Evidence& evidence, const Pair& pair, Clusters& clusters) {
    const Group& a = evidence.verdicts.first_of(pair);
    const Group& b = evidence.verdicts.second_of(pair);
    const bool is_self = pair.first == pair.second && !pair.has_two_ways;
    if (!pair.is_unordered || (is_self && !depends_on_order(a))) return;
    if (a.procedure.use != Use::Collective || b.procedure.use != Use::Collective) return;
    if (evidence.handles.compare(a.communicator, b.communicator, pair.is_one_call()) !=
        Sameness::Same)
        return;
    if (evidence.handles.is_of_this_process(a.communicator)) return;
    const Verdicts::Route first = evidence.verdicts.route_to(pair, false);
    const Verdicts::Route second =
        evidence.verdicts.route_to(pair, true, pair.has_two_ways ? first.step : kNone);
    if (first.step == kNone || second.step == kNone) return;
    const bool are_started = a.async != 0 && b.async != 0 && a.async != b.async;
    if (are_started && !depends_on_order(a) && is_same_call(pair, first, second)) return;
    const bool are_alike =
        are_barriers(evidence, first, second) || are_unread(evidence, pair, first, second);
    if (!is_self && are_alike) return;
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

/// Whether both steps start threads with one and the same function.
bool are_alike(const Evidence& evidence, FunctionId function, StepId first, StepId second) {
    const Step& one = evidence.step(function, first);
    const Step& other = evidence.step(function, second);
    return one.kind == StepKind::StartThread && other.kind == StepKind::StartThread &&
           one.name == other.name && one.is_by_type == other.is_by_type;
}

/// Whether one thread receives what another one has found: the same peer and tag tell, or that all
/// threads do both.
bool is_taken(const Evidence& evidence, const Pair& pair, const Group& probe, const Group& other) {
    const bool is_one_call = pair.is_one_call();
    const auto is_same = [&](const Operand& one, const Operand& another) {
        return evidence.handles.compare(one, another, is_one_call) == Sameness::Same &&
               !evidence.handles.may_change(one);
    };
    const bool by_all = (probe.executor.who == Who::All && other.executor.who == Who::All) ||
                        are_alike(evidence, pair.function, probe.step, other.step);
    if (other.procedure.use == Use::Receive && by_all) {
        // Each thread may have a tag of its own.
        const bool is_one_tag = evidence.handles.is_wildcard(probe.tag) ||
                                evidence.handles.is_wildcard(other.tag) ||
                                is_same(probe.tag, other.tag);
        return is_one_tag && may_take(evidence, pair, probe, other);
    }
    if (evidence.handles.compare(probe.communicator, other.communicator, is_one_call) !=
            Sameness::Same ||
        !is_same(probe.peer, other.peer) || !is_same(probe.tag, other.tag))
        return false;
    return other.procedure.use == Use::Receive ||
           (other.procedure.use == Use::Probe && is_received(evidence, pair, probe));
}

/// A lock that is released between the probe and the receive.
void check_probe(const Evidence& evidence, const Pair& pair, Clusters& clusters) {
    if (!pair.is_left_to_others) return;
    const Group& a = evidence.verdicts.first_of(pair);
    const Group& b = evidence.verdicts.second_of(pair);
    const bool is_second = a.procedure.use != Use::Probe;
    if (!is_taken(evidence, pair, is_second ? b : a, is_second ? a : b)) return;
    const Verdicts::Route route = evidence.verdicts.route_to(pair, is_second);
    const std::vector<std::uint64_t> key = {2, pair.function, pair.scope};
    if (route.step == kNone || clusters.find(key) != nullptr) return;
    Diagnostic diagnostic = at_call(evidence, Rule::MessageOrder, route.function, route.step);
    diagnostic.severity = Severity::Warning;
    diagnostic.required = Level::Serialized;
    diagnostic.message = "one thread at a time calls " +
                         quoted_call(evidence, route.function, route.step) +
                         ", but lets others in before it receives: they may get the message that "
                         "has been probed for";
    diagnostic.fix = "receive under the same lock, or use MPI_Mprobe and MPI_Mrecv";
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
            check_probe(evidence, pair, clusters);
        } else {
            check_condition(evidence, pair, clusters, told);
        }
    }
}

}  // namespace mqinspect::thread_level
