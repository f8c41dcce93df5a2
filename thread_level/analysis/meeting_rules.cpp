#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "thread_level/analysis/joined_threads.h"
#include "thread_level/analysis/probes.h"
#include "thread_level/analysis/rules.h"
#include "thread_level/analysis/task_copies.h"
#include "thread_level/facts/pointed_members.h"

namespace mqinspect::thread_level {
namespace {

constexpr const char* kTakesProbed = ", which may get the message that has been probed for";

/// Of an object that is handed over, or that a pointer leads to.
bool is_member(const Operand& operand, const Strings& strings) {
    return operand.field != 0 || !pointer_of(strings[operand.value.name]).empty() ||
           (operand.value.kind == Value::Kind::Parameter && operand.value.name != 0);
}

/// Whether each of two threads has made the communicator by itself, in a variable of its own.
bool are_own(const Group& a, const Group& b) {
    const auto is_own = [](const Group& group) {
        const Value& value = group.communicator.value;
        return value.kind == Value::Kind::Local && value.created_once && !value.is_shared &&
               !group.is_task;
    };
    return is_own(a) && is_own(b);
}

/// What a procedure of that use frees.
const char* object_of(Use use) {
    switch (use) {
        case Use::Info:
            return " on the same info object";
        case Use::Group:
            return " on the same group";
        case Use::ObjectCollective:
            return " on the same window or file";
        default:
            return " on the same datatype";
    }
}

/// Looks at one pair after the other.
class MeetingRules {
public:
    explicit MeetingRules(const Evidence& evidence)
        : evidence_(evidence), clusters_(evidence.assessment) {}

    void check(const Cause& cause);
    /// What has been found, when all pairs have been looked at.
    void tell();

private:
    struct Finding {
        Rule rule = Rule::ConcurrentCollectives;
        Severity severity = Severity::Error;
        std::string both;  ///< what two threads do with `what`
        std::string what;  ///< "one communicator"
        std::string fix;
        Operand key;
        StepId join = kNone;  ///< a step of the pair's function that some ways to the end leave out
    };
    struct Found {
        Cause cause;
        Finding finding;
        Verdicts::Route first;
        Verdicts::Route second;
    };

    bool check_end(const Cause& cause, const Group& a, const Group& b);
    void check_collectives(const Cause& cause, const Group& a, const Group& b);
    void check_tagged(const Cause& cause, const Group& a, const Group& b);
    void check_freed(const Cause& cause, const Group& a, const Group& b);
    void check_settings(const Cause& cause, const Group& a, const Group& b);
    void check_objects(const Cause& cause, const Group& a, const Group& b);
    void check_messages(const Cause& cause, const Group& a, const Group& b);
    void check_wildcards(const Cause& cause, const Group& a, const Group& b);
    StepId join_of(const Cause& cause, const Group& thread) const;
    void report(const Cause& cause, const Finding& finding);
    static std::vector<std::uint64_t> key_of(const Found& found);
    std::vector<std::size_t> belonging() const;
    void tell(const Found& found, std::size_t number);
    void add_other(const Found& found, Diagnostic& diagnostic);
    Sameness compare(const Cause& cause, const Operand& a, const Operand& b) const;
    bool shares_request(const Cause& cause, const Group& a, const Group& b) const;

    const Evidence& evidence_;
    Clusters clusters_;
    std::vector<Found> found_;
};

Sameness MeetingRules::compare(const Cause& cause, const Operand& a, const Operand& b) const {
    return evidence_.handles.compare(a, b, cause.pair);
}

bool MeetingRules::shares_request(const Cause& cause, const Group& a, const Group& b) const {
    return evidence_.handles.share_request(a.object, b.object, cause.pair.is_one_call());
}

void MeetingRules::check(const Cause& cause) {
    const Group& a = evidence_.verdicts.first_of(cause.pair);
    const Group& b = evidence_.verdicts.second_of(cause.pair);
    if (check_end(cause, a, b)) return;
    if (cause.is_collective) check_collectives(cause, a, b);
    check_tagged(cause, a, b);
    if (a.procedure.frees || b.procedure.frees) {
        check_freed(cause, a, b);
    } else {
        check_settings(cause, a, b);
        check_objects(cause, a, b);
    }
    // Where they need the level that is provided there, nothing is said of their order.
    if (!cause.is_assured && !evidence_.is_required_above(Level::Multiple))
        check_messages(cause, a, b);
}

bool MeetingRules::check_end(const Cause& cause, const Group& a, const Group& b) {
    const bool a_ends = a.procedure.use == Use::Finalize;
    const bool b_ends = b.procedure.use == Use::Finalize;
    if (!a_ends && !b_ends) return false;
    if (a_ends && b_ends) return true;  // by its state
    if (a.procedure.use == Use::Info || b.procedure.use == Use::Info)
        return true;  // may come later
    report(cause,
           {.rule = Rule::Finalize,
            .both = "may run at the same time as",
            .what = "; MPI_Finalize has to be the last call of MPI",
            .fix = "call MPI_Finalize behind the end of the parallel region, or when all threads "
                   "are joined",
            .key = {},
            .join = join_of(cause, a_ends ? b : a)});
    return true;
}

/// Where the function waits that has started the thread; kNone: it can't be told, or nowhere.
StepId MeetingRules::join_of(const Cause& cause, const Group& thread) const {
    const FunctionId function = cause.pair.function;
    const Step& start = evidence_.step(function, thread.step);
    if (start.kind != StepKind::StartThread) return kNone;
    const Strings& strings = evidence_.program.unit().strings;
    const std::span<const Step> steps = evidence_.program.steps(function);
    for (StepId id = 0; id < steps.size(); ++id) {
        if (steps[id].kind == StepKind::JoinThread &&
            may_be_same_thread({start.value, function}, {steps[id].value, function}, strings))
            return id;
    }
    return kNone;
}

/// MPI-4.0, 11.6.2: the threads of all processes have to put their calls into one order, which
/// those of MPI_COMM_SELF have anyway. But two communications are never to use one communicator at
/// the same time (6.14).
void MeetingRules::check_collectives(const Cause& cause, const Group& a, const Group& b) {
    if ((a.procedure.makes || b.procedure.makes) &&
        evidence_.handles.is_of_this_process(a.communicator))
        return;
    // Nobody can free a communicator that is always there.
    const auto is_there = [](const Group& group, const Group& other) {
        return group.procedure.frees && other.communicator.value.kind == Value::Kind::Predefined;
    };
    const auto is_captured = [this](const Operand& communicator) {
        return communicator.value.kind == Value::Kind::Global &&
               evidence_.program.variable(communicator.value.name) == nullptr;
    };
    const auto is_part = [this](const Operand& communicator) {
        return communicator.value.kind == Value::Kind::Element ||
               is_member(communicator, evidence_.program.unit().strings);
    };
    const bool is_silent = are_own(a, b) || is_there(a, b) || is_there(b, a) ||
                           is_captured(a.communicator) || is_captured(b.communicator) ||
                           ((is_part(a.communicator) || is_part(b.communicator)) &&
                            !evidence_.handles.may_be_one_handle(a.communicator, b.communicator));
    if (cause.communicator == Sameness::Same) {
        report(cause,
               {.both = "may run at the same time as",
                .what = " on the same communicator; that is an error at every thread level",
                .fix = "use a second communicator, or put a barrier between the calls",
                .key = a.communicator});
    } else if (cause.communicator == Sameness::Unknown && evidence_.requested.level.has_value() &&
               !evidence_.is_required_above(Level::Multiple) && !is_silent) {
        report(cause,
               {.severity = Severity::Note,
                .both = "may run at the same time as",
                .what = "; that is an error at every thread level if their communicators are equal",
                .fix = "",
                .key = a.communicator});
    }
}

/// MPI-4.0, 7.4.2: concurrent calls of threads need different tags or communicators.
void MeetingRules::check_tagged(const Cause& cause, const Group& a, const Group& b) {
    if (a.procedure.use != Use::TaggedCollective || b.procedure.use != Use::TaggedCollective)
        return;
    if (cause.communicator != Sameness::Same || compare(cause, a.tag, b.tag) != Sameness::Same)
        return;
    report(cause,
           {.both = "may run at the same time as",
            .what = " on the same communicator with the same tag; that is an error at every thread "
                    "level",
            .fix = "use a tag for each thread",
            .key = a.communicator});
}

/// Whoever comes too late has a handle of nothing. Collective operations are reported as such.
void MeetingRules::check_freed(const Cause& cause, const Group& a, const Group& b) {
    const bool is_object =
        a.object.value.kind != Value::Kind::Unknown && b.object.value.kind != Value::Kind::Unknown;
    const Sameness sameness = is_object ? compare(cause, a.object, b.object) : cause.communicator;
    if (sameness != Sameness::Same || cause.is_collective) return;
    const Group& freeing = a.procedure.frees ? a : b;
    report(cause,
           {.rule = Rule::ConcurrentRequest,
            .both = "may run at the same time as",
            .what = is_object ? object_of(freeing.procedure.use) : " on the same communicator",
            .fix = "free it when all threads are done with it",
            .key = is_object ? a.object : a.communicator});
}

/// MPI_Info_set may be called by several threads at a time: but the value that stays is then by
/// chance, if they set one key to different ones.
void MeetingRules::check_settings(const Cause& cause, const Group& a, const Group& b) {
    if (a.procedure.use != Use::Info || b.procedure.use != Use::Info) return;
    if (compare(cause, a.tag, b.tag) != Sameness::Same ||
        compare(cause, a.peer, b.peer) != Sameness::Different ||
        compare(cause, a.object, b.object) != Sameness::Same)
        return;
    report(cause,
           {.rule = Rule::ConcurrentRequest,
            .severity = Severity::Warning,
            .both = "may run at the same time as",
            .what = " on the same info object with the same key: which value stays is not defined",
            .fix = "let one thread set it",
            .key = a.object});
}

void MeetingRules::check_objects(const Cause& cause, const Group& a, const Group& b) {
    const Use first = a.procedure.use;
    const Use second = b.procedure.use;
    if (a.object.value.kind == Value::Kind::Unknown) return;
    const auto either = [&](Use one, Use other) {
        return (first == one && second == other) || (first == other && second == one);
    };
    const auto starts = [](const Group& group) { return group.procedure.is_nonblocking; };
    const bool completes = first == Use::Completion || second == Use::Completion;
    const bool is_request =
        (first == Use::Completion || starts(a)) && (second == Use::Completion || starts(b));
    const bool is_object = either(Use::ObjectCollective, Use::ObjectCollective) ||
                           either(Use::ObjectCollective, Use::Access) ||
                           either(Use::Epoch, Use::Epoch);
    if (!is_request && !is_object) return;
    const bool is_part = is_request && (shares_request(cause, a, b) ||
                                        have_copies_of_one(evidence_, cause.pair, a, b));
    if (!is_part && compare(cause, a.object, b.object) != Sameness::Same) return;
    if (either(Use::Epoch, Use::Epoch) && compare(cause, a.peer, b.peer) != Sameness::Same) return;
    Finding finding{
        .rule = Rule::ConcurrentRequest,
        .both = "may run at the same time as",
        .what = is_request ? " on the same request" : " on the same window or file",
        .fix = is_request ? "give each thread a request of its own" : "let one thread call it",
        .key = a.object};
    const bool is_surely_wrong = is_request ? completes : first == second;
    if (!is_surely_wrong) finding.severity = Severity::Warning;
    report(cause, finding);
}

void MeetingRules::check_messages(const Cause& cause, const Group& a, const Group& b) {
    const Use first = a.procedure.use;
    const Use second = b.procedure.use;
    const auto gets = [](Use use) { return use == Use::Probe || use == Use::Receive; };
    const bool sends = first == Use::Send && second == Use::Send;
    if (!sends && !(gets(first) && gets(second))) return;
    if (cause.communicator != Sameness::Same) return;
    if (compare(cause, a.peer, b.peer) != Sameness::Same ||
        compare(cause, a.tag, b.tag) != Sameness::Same) {
        if (!sends && (first == Use::Receive || second == Use::Receive))
            check_wildcards(cause, a, b);
        return;
    }
    if (evidence_.handles.may_change(a.peer) || evidence_.handles.may_change(a.tag)) return;
    const bool probes = first == Use::Probe || second == Use::Probe;
    if (first == Use::Probe && second == Use::Probe && !is_received(evidence_, cause.pair, a))
        return;
    report(
        cause,
        {.rule = Rule::MessageOrder,
         .severity = probes ? Severity::Warning : Severity::Note,
         .both = "may run at the same time as",
         .what = first == second && probes
                     ? ", and each may find the message that the other one is about to receive"
                 : probes ? kTakesProbed
                          : " with the same communicator, peer and tag: their order is not defined",
         .fix = probes ? "use MPI_Mprobe and MPI_Mrecv, or a tag for each thread"
                       : "use a tag for each thread",
         .key = a.tag});
}

/// Two receives, or a probe and a receive, that are not the same, of which one leaves open what it
/// is for. They are logically concurrent, so that messages may match them in either order
/// (MPI-4.0, 3.5), and one may take what the other one waits for.
void MeetingRules::check_wildcards(const Cause& cause, const Group& a, const Group& b) {
    const Handles& handles = evidence_.handles;
    const auto fit = [&](const Operand& one, const Operand& other) {
        return compare(cause, one, other) == Sameness::Same || handles.is_wildcard(one) ||
               handles.is_wildcard(other);
    };
    const bool is_one_peer = fit(a.peer, b.peer);
    const bool is_of_two = !is_one_peer && handles.are_rests(a.peer, b.peer);
    if ((!is_one_peer && !is_of_two) || !fit(a.tag, b.tag)) return;
    if (handles.may_change(a.peer) || handles.may_change(a.tag)) return;
    const auto takes_any = [&](const Group& group) {
        return group.procedure.use == Use::Receive &&
               (handles.is_wildcard(group.peer) || handles.is_wildcard(group.tag));
    };
    const bool is_probed = a.procedure.use == Use::Probe || b.procedure.use == Use::Probe;
    // Who probes for any message, as a rule leaves what is for others to them.
    const bool is_taken = is_probed && (takes_any(a) || takes_any(b));
    if ((is_probed || is_of_two) && !is_taken) return;
    report(
        cause,
        {.rule = Rule::MessageOrder,
         .severity = is_taken && !is_of_two ? Severity::Warning : Severity::Note,
         .both = "may run at the same time as",
         .what = is_of_two  ? kTakesProbed + std::string(" if both are of one process, as with two")
                 : is_taken ? kTakesProbed
                            : ", and a message may match both: which one gets it is not defined",
         .fix = "use a tag for each thread, and MPI_ANY_TAG in none of them",
         .key = a.tag});
}

void MeetingRules::report(const Cause& cause, const Finding& finding) {
    const Verdicts::Route first = evidence_.verdicts.route_to(cause.pair, false);
    if (first.step == kNone) return;
    const bool is_self = cause.pair.first == cause.pair.second;
    const Verdicts::Route second =
        evidence_.verdicts.route_to(cause.pair, true, is_self ? first.step : kNone);
    if (second.step == kNone) return;
    found_.push_back({cause, finding, first, second});
}

/// What pairs have in common that are one finding.
std::vector<std::uint64_t> MeetingRules::key_of(const Found& found) {
    return {static_cast<std::uint64_t>(found.finding.rule),
            static_cast<std::uint64_t>(found.finding.severity),
            found.cause.pair.function,
            found.cause.pair.scope,
            static_cast<std::uint64_t>(found.finding.key.value.kind),
            found.finding.key.value.name,
            static_cast<std::uint64_t>(found.finding.key.value.number)};
}

/// For each pair: a number that those have which belong together. All of one team do; else those
/// that share calls, be it by others: calls that meet none of the others, such as those beside
/// another thread, are wrong for themselves.
std::vector<std::size_t> MeetingRules::belonging() const {
    std::vector<std::size_t> parents(found_.size());
    std::iota(parents.begin(), parents.end(), 0);
    const auto root_of = [&parents](std::size_t one) {
        while (parents[one] != one)
            one = parents[one] = parents[parents[one]];
        return one;
    };
    std::map<std::vector<std::uint64_t>, std::size_t> known;  // by what belongs together
    for (std::size_t i = 0; i < found_.size(); ++i) {
        const Pair& pair = found_[i].cause.pair;
        const bool is_of_team = pair.scope != 0 || pair.mode != Mode::Serial;
        for (const Verdicts::Route* route : {&found_[i].first, &found_[i].second}) {
            std::vector<std::uint64_t> key = key_of(found_[i]);
            if (!is_of_team) key.insert(key.end(), {route->function, route->step});
            parents[root_of(i)] = root_of(known.try_emplace(std::move(key), i).first->second);
        }
    }
    for (std::size_t i = 0; i < found_.size(); ++i)
        parents[i] = root_of(i);
    return parents;
}

void MeetingRules::tell() {
    const std::vector<std::size_t> numbers = belonging();
    for (std::size_t i = 0; i < found_.size(); ++i)
        tell(found_[i], numbers[i]);
}

/// The other call, and the way to it; of a call that meets itself, if it is another way.
void MeetingRules::add_other(const Found& found, Diagnostic& diagnostic) {
    const auto& [cause, finding, first, second] = found;
    const bool is_one_call = first.function == second.function && first.step == second.step;
    if (is_one_call && first.calls == second.calls) return;
    std::vector<Remark>& remarks = diagnostic.remarks;
    if (!is_one_call) {
        const bool is_nearby = first.function == second.function && second.calls.empty();
        remarks.push_back(
            {.place = evidence_.step(second.function, second.step).place,
             .message =
                 quoted_call(evidence_, second.function, second.step) + " is called " +
                 (is_nearby ? "" : "from " + quoted_function(evidence_, second.function) + " ") +
                 "here"});
    }
    const std::size_t count = remarks.size();
    add_calls(evidence_, second, true, diagnostic);
    if (is_one_call && remarks.size() > count)
        remarks[count].message = "in the other thread, " + remarks[count].message;
}

void MeetingRules::tell(const Found& found, std::size_t number) {
    const auto& [cause, finding, first, second] = found;
    std::vector<std::uint64_t> key = key_of(found);
    key.push_back(number);
    const std::vector<std::uint64_t> calls = {static_cast<std::uint64_t>(finding.rule),
                                              static_cast<std::uint64_t>(finding.severity),
                                              first.function,
                                              first.step,
                                              second.function,
                                              second.step};
    if (clusters_.find(calls) != nullptr) return;  // in other callers of them
    if (Diagnostic* known = clusters_.find(key); known != nullptr) {
        for (const Verdicts::Route* route : {&first, &second})
            extend(evidence_, route->function, route->step, *known);
        return;
    }
    Diagnostic diagnostic = at_call(evidence_, finding.rule, first.function, first.step);
    diagnostic.severity = cause.is_unsure ? Severity::Note : finding.severity;
    diagnostic.required = Level::Multiple;
    const bool is_one_call = first.function == second.function && first.step == second.step;
    const bool is_clause = finding.what.starts_with(',') || finding.what.starts_with(';');
    diagnostic.message =
        quoted_call(evidence_, first.function, first.step) + " " + finding.both +
        (is_one_call ? " itself, in another thread" + std::string(is_clause ? "" : ",")
                     : " " + quoted_call(evidence_, second.function, second.step)) +
        finding.what;
    diagnostic.fix = finding.fix;
    if (!is_one_call) diagnostic.steps.emplace_back(second.function, second.step);
    add_other(found, diagnostic);
    if (finding.join != kNone) {
        diagnostic.remarks.push_back(
            {.place = evidence_.step(cause.pair.function, finding.join).place,
             .message = "the thread is joined here, but not on all ways to 'MPI_Finalize'"});
    }
    const bool has_start = add_calls(evidence_, first, false, diagnostic);
    const RegionId scope = evidence_.summaries.region_of(cause.pair.function, cause.pair.scope);
    if (!add_region(evidence_, cause.pair.function, scope, diagnostic) && !has_start) {
        const SiteVerdict* verdict = evidence_.verdicts.site_of(first.function, first.step);
        if (verdict != nullptr && verdict->state >= 0)
            add_chain(evidence_, first.function, verdict->state, diagnostic);
    }
    clusters_.add(key, std::move(diagnostic));
    clusters_.alias(calls, key);
}

}  // namespace

void check_meetings(const Evidence& evidence) {
    MeetingRules rules(evidence);
    for (const Cause& cause : evidence.verdicts.causes())
        rules.check(cause);
    rules.tell();
}

}  // namespace mqinspect::thread_level
