#include "analysis/combine.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace mqinspect::analysis {
namespace {

// How far a cause reaches.
enum class Reach {
    Call,     ///< to findings about one of its calls
    Process,  ///< to findings about its processes
    Partner,  ///< to findings about a message for, or from, its processes
    Missed,   ///< to findings about what an operation of its process would have met
    Site,     ///< to findings about a call from the same place, of whatever process
    Stuck,    ///< to all, if one of its calls has not returned: others wait behind it
    Open,     ///< to findings about a call, the first one, that has not returned
    Job,      ///< to all: what ends a process, or keeps it, ends the job
};

// What a class follows from, the nearest to the root first.
struct Origin {
    FindingClass cause;
    Reach reach;
};

using Origins = std::vector<Origin>;

/// Of an operation that is missed, with those that miss it.
constexpr std::size_t kMostCallsOfAbsent = 8;

// A call that MPI cannot understand.
const Origins& bad_calls() {
    static const Origins origins = {{FindingClass::InvalidArgument, Reach::Call},
                                    {FindingClass::UseAfterFree, Reach::Call},
                                    {FindingClass::CallOutsideMpi, Reach::Call},
                                    {FindingClass::PendingOperation, Reach::Call},
                                    {FindingClass::NotStarted, Reach::Call},
                                    {FindingClass::WrongRequestFree, Reach::Call}};
    return origins;
}

// Calls that belong together and have been given what does not fit.
const Origins& parameters() {
    static const Origins origins = {{FindingClass::WrongRootProcess, Reach::Call},
                                    {FindingClass::DifferentReductions, Reach::Call},
                                    {FindingClass::WrongDataType, Reach::Call},
                                    {FindingClass::WrongSendSize, Reach::Call},
                                    {FindingClass::WrongReceiveSize, Reach::Call},
                                    {FindingClass::IncorrectReceiveSize, Reach::Call}};
    return origins;
}

// Calls that do not fit together.
const Origins& mismatches() {
    static const Origins origins = [] {
        Origins all = {{FindingClass::DifferentCollectives, Reach::Call}};
        all.insert(all.end(), parameters().begin(), parameters().end());
        return all;
    }();
    return origins;
}

const Origins& hangs() {
    static const Origins origins = {{FindingClass::RealDeadlock, Reach::Call},
                                    {FindingClass::RealHangUp, Reach::Call}};
    return origins;
}

// The same of who is kept waiting by those that hang.
const Origins& hang_ups_of_others() {
    static const Origins origins = {{FindingClass::RealDeadlock, Reach::Open},
                                    {FindingClass::RealHangUp, Reach::Open}};
    return origins;
}

// Calls of threads that must not overlap.
const Origins& beside() {
    static const Origins origins = {{FindingClass::ThreadLevel, Reach::Call}};
    return origins;
}

const Origins& ends(Reach reach) {
    static const auto make = [](Reach how_far) {
        return Origins{{FindingClass::MpiError, how_far},
                       {FindingClass::Abend, how_far},
                       {FindingClass::Abort, how_far}};
    };
    static const Origins process = make(Reach::Process);
    static const Origins job = make(Reach::Job);
    return reach == Reach::Process ? process : job;
}

Origins joined(std::initializer_list<const Origins*> parts) {
    Origins origins;
    for (const Origins* part : parts)
        origins.insert(origins.end(), part->begin(), part->end());
    return origins;
}

// Of what is said of calls that did not come to their end, or not together.
Origins origins_of_outcome(FindingClass finding_class) {
    static const Origins stuck = {{FindingClass::RealDeadlock, Reach::Job},
                                  {FindingClass::RealHangUp, Reach::Job}};
    static const Origins early_ends = {{FindingClass::MissingFinalize, Reach::Job}};
    // The launcher ends the others.
    static const Origins launcher_ends = {{FindingClass::MissingFinalize, Reach::Open}};
    static const Origins own_end = {{FindingClass::MissingFinalize, Reach::Process}};
    static const Origins partners_end = {{FindingClass::MissingFinalize, Reach::Partner}};
    static const Origins deadlock = {{FindingClass::RealDeadlock, Reach::Call}};
    static const Origins missed = {{FindingClass::NotStarted, Reach::Missed}};
    static const Origins incomplete = {{FindingClass::IncompleteCollective, Reach::Call}};
    static const Origins other_half = {{FindingClass::NonpairedReceive, Reach::Call}};
    static const Origins unpaired = {{FindingClass::IncompleteCollective, Reach::Job},
                                     {FindingClass::UnfinishedCollective, Reach::Call},
                                     {FindingClass::NonpairedReceive, Reach::Call},
                                     {FindingClass::NonpairedSend, Reach::Call}};
    static const Origins own_calls = {{FindingClass::IncompleteCollective, Reach::Call},
                                      {FindingClass::NonpairedReceive, Reach::Call},
                                      {FindingClass::NonpairedSend, Reach::Call}};
    static const Origins keep_waiting = {{FindingClass::DifferentCollectives, Reach::Job},
                                         {FindingClass::WrongRootProcess, Reach::Job},
                                         {FindingClass::WrongReceiveSize, Reach::Stuck},
                                         {FindingClass::IncorrectReceiveSize, Reach::Stuck},
                                         {FindingClass::DifferentReductions, Reach::Stuck},
                                         {FindingClass::WrongDataType, Reach::Stuck},
                                         {FindingClass::NonpairedReceive, Reach::Stuck},
                                         {FindingClass::NonpairedSend, Reach::Stuck}};
    // Who completes a request takes it from the others that wait for it.
    static const Origins threads = {{FindingClass::ThreadLevel, Reach::Stuck}};
    switch (finding_class) {
        case FindingClass::RealDeadlock:
            return joined({&mismatches(), &early_ends});
        case FindingClass::RealHangUp:
            return joined({&mismatches(), &early_ends, &incomplete, &missed, &beside()});
        case FindingClass::PotentialDeadlock:
            // Different collectives in one operation are wrong in any run; that they can also
            // keep each other waiting is something to know by itself.
            return joined({&parameters(), &own_calls});
        case FindingClass::PotentialHangUp:
            return joined({&mismatches(), &own_calls});
        case FindingClass::IncompleteCollective:
            return joined({&mismatches(), &deadlock, &missed, &own_end});
        case FindingClass::NonpairedSend:
            return joined({&mismatches(), &missed, &hangs(), &other_half, &partners_end});
        case FindingClass::UnfinishedCollective:
            return joined({&mismatches(), &missed, &hangs(), &launcher_ends});
        case FindingClass::NonpairedReceive:
            return joined({&mismatches(), &missed, &hangs(), &partners_end});
        case FindingClass::UnfinishedSend:
        case FindingClass::UnfinishedReceive:
            return joined({&mismatches(),
                           &hangs(),
                           &hang_ups_of_others(),
                           &unpaired,
                           &ends(Reach::Process),
                           &early_ends,
                           &threads});
        case FindingClass::IncompleteCall:
            // Where one process has ended, the launcher ends the others.
            return joined({&stuck,
                           &ends(Reach::Job),
                           &early_ends,
                           &mismatches(),
                           &unpaired,
                           &keep_waiting,
                           &threads});
        case FindingClass::MissingFinalize:
            return ends(Reach::Job);
        default:
            return {};
    }
}

Origins origins_of(FindingClass finding_class) {
    static const Origins types = {{FindingClass::WrongDataType, Reach::Call}};
    static const Origins overwritten = {{FindingClass::WrongDataType, Reach::Call},
                                        {FindingClass::SendChecksum, Reach::Call},
                                        {FindingClass::PendingBufferAccess, Reach::Call},
                                        {FindingClass::Overlapping, Reach::Call}};
    static const Origins refilled = {{FindingClass::PendingBufferAccess, Reach::Call},
                                     {FindingClass::Overlapping, Reach::Call}};
    // The heap has given the memory to somebody else.
    static const Origins freed = {{FindingClass::PendingBufferAccess, Reach::Call}};
    static const Origins errors = {{FindingClass::MpiError, Reach::Process}};
    // MPI and the program have written to the same memory, or the heap to a buffer.
    static const Origins memory = {{FindingClass::PendingBufferAccess, Reach::Process}};
    // The error comes when the message does, perhaps in a call that completes the receive.
    static const Origins truncations = {{FindingClass::WrongSendSize, Reach::Process},
                                        {FindingClass::WrongReceiveSize, Reach::Process},
                                        {FindingClass::IncorrectReceiveSize, Reach::Process}};
    // Members of a collective operation hand on what did not fit between others.
    static const Origins handed_on = {{FindingClass::WrongReceiveSize, Reach::Site},
                                      {FindingClass::IncorrectReceiveSize, Reach::Site}};
    // MPI may refuse what does not fit its partner.
    static const Origins refused = {{FindingClass::CallOutsideMpi, Reach::Call},
                                    {FindingClass::WrongDataType, Reach::Call}};
    switch (finding_class) {
        case FindingClass::InvalidArgument:
            return refused;
        case FindingClass::UseAfterFree:
            return beside();
        case FindingClass::WrongSendSize:
        case FindingClass::IncorrectSendSize:
        case FindingClass::WrongReceiveSize:
        case FindingClass::IncorrectReceiveSize:
            return types;
        case FindingClass::ReceiveChecksum:
            return overwritten;
        case FindingClass::SendChecksum:
            return refilled;
        case FindingClass::Overlapping:
            return freed;
        case FindingClass::MpiError:
            return joined({&bad_calls(), &mismatches(), &truncations, &handed_on});
        case FindingClass::Abend:
            return joined({&bad_calls(), &mismatches(), &errors, &memory});
        case FindingClass::Abort:
            return joined({&bad_calls(), &mismatches(), &errors});
        default:
            return origins_of_outcome(finding_class);
    }
}

bool is_one_of(const InvolvedCall& one, const std::vector<InvolvedCall>& calls) {
    return std::ranges::any_of(calls, [&](const InvolvedCall& other) {
        return one.process == other.process && one.thread == other.thread &&
               one.event == other.event && one.procedure == other.procedure;
    });
}

bool share_a_call(const Finding& left, const Finding& right) {
    return std::ranges::any_of(right.calls, [&](const InvolvedCall& call) {
        return is_one_of(call, left.calls) || is_one_of(call, left.alike);
    });
}

bool share_a_process(const Finding& left, const Finding& right) {
    return std::ranges::any_of(left.processes, [&](model::ProcessId process) {
        return std::ranges::binary_search(right.processes, process);
    });
}

bool share_a_site(const Finding& left, const Finding& right) {
    return std::ranges::any_of(left.calls, [&](const InvolvedCall& one) {
        return std::ranges::any_of(right.calls, [&](const InvolvedCall& other) {
            return one.procedure == other.procedure && one.stack == other.stack;
        });
    });
}

bool has_open_call(const Finding& finding) {
    return !std::ranges::all_of(finding.calls, &InvolvedCall::returned);
}

bool is_partner_of(const Finding& cause, const Finding& effect) {
    return effect.partner && std::ranges::binary_search(cause.processes, *effect.partner);
}

// The other half of a message, or other parts of a collective operation.
bool would_have_met(const Finding& not_started, const Finding& effect) {
    if (not_started.communicator != effect.communicator) return false;
    if (effect.finding_class == FindingClass::IncompleteCollective ||
        effect.finding_class == FindingClass::UnfinishedCollective)
        return !not_started.partner;
    return is_partner_of(not_started, effect) &&
           (!not_started.partner ||
            std::ranges::binary_search(effect.processes, *not_started.partner));
}

bool reaches(Reach reach, const Finding& cause, const Finding& effect) {
    switch (reach) {
        case Reach::Call:
            return share_a_call(cause, effect);
        case Reach::Process:
            return share_a_process(cause, effect);
        case Reach::Partner:
            return is_partner_of(cause, effect);
        case Reach::Missed:
            return would_have_met(cause, effect);
        case Reach::Site:
            return share_a_site(cause, effect);
        case Reach::Stuck:
            return has_open_call(cause);
        case Reach::Open:
            return !effect.calls.empty() && !effect.calls.front().returned;
        case Reach::Job:
            return true;
    }
    return false;
}

using ByClass = std::map<FindingClass, std::vector<std::size_t>>;

// What is said of calls of several processes, or of calls that did not come to their end.
bool is_about_the_outcome(FindingClass finding_class) {
    switch (finding_class) {
        case FindingClass::IncompleteCall:
        case FindingClass::UnfinishedSend:
        case FindingClass::UnfinishedReceive:
        case FindingClass::UnfinishedCollective:
        case FindingClass::IncompleteCollective:
        case FindingClass::NonpairedSend:
        case FindingClass::NonpairedReceive:
        case FindingClass::RealDeadlock:
        case FindingClass::RealHangUp:
            return true;
        default:
            return false;
    }
}

bool is_bad_call(FindingClass finding_class) {
    return finding_class == FindingClass::MpiError ||
           std::ranges::find(bad_calls(), finding_class, &Origin::cause) != bad_calls().end();
}

// A collective operation that all members have started comes to its end, unless MPI has been put
// out of order before.
bool keeps_from_ending(const Finding& cause, const Finding& effect) {
    if (effect.finding_class != FindingClass::UnfinishedCollective) return false;
    return std::ranges::any_of(effect.calls, [&](const InvolvedCall& open) {
        return !open.returned && std::ranges::any_of(cause.calls, [&](const InvolvedCall& before) {
            return before.process == open.process && before.thread == open.thread &&
                   before.event < open.event;
        });
    });
}

// A process is missing in a collective operation because MPI has refused its call.
bool is_missed(const Finding& refused, const Finding& effect) {
    if (effect.finding_class != FindingClass::IncompleteCollective) return false;
    return std::ranges::any_of(refused.calls, [&](const InvolvedCall& call) {
        return std::ranges::binary_search(effect.processes, call.process) &&
               std::ranges::any_of(effect.calls, [&](const InvolvedCall& other) {
                   return other.process != call.process && other.procedure == call.procedure;
               });
    });
}

// A call that MPI has refused takes no part in anything, and its process, if that was its end,
// is missed by others. The effect is about the outcome. None of the classes that are not about the
// outcome follows from one that is, so that there are no circles.
bool follows_from_refusal(const Finding& cause, const Finding& effect) {
    if (cause.severity != Severity::Error) return false;
    if (is_about_the_outcome(cause.finding_class)) return false;
    const bool together = effect.finding_class == FindingClass::RealDeadlock;
    const bool in_reach = !together || share_a_process(cause, effect);
    if (is_bad_call(cause.finding_class) &&
        (share_a_call(cause, effect) || (in_reach && reaches(Reach::Stuck, cause, effect)) ||
         keeps_from_ending(cause, effect) || is_missed(cause, effect)))
        return true;
    // A window that is still in use, or a buffer that MPI overwrites, keeps a call from its end.
    if (effect.finding_class == FindingClass::IncompleteCall &&
        cause.finding_class == FindingClass::EpochError)
        return true;
    // A request that the program itself never completes has nothing to do with that.
    if (cause.finding_class == FindingClass::Overlapping && share_a_call(cause, effect) &&
        has_open_call(effect) &&
        (effect.finding_class == FindingClass::IncompleteCall ||
         effect.finding_class == FindingClass::UnfinishedCollective))
        return true;
    return cause.ends_process && in_reach;
}

// Of a process that a signal of somebody else's has ended: its launcher's, most likely.
bool is_end_from_outside(const Finding& finding) {
    return finding.finding_class == FindingClass::Abort && finding.severity == Severity::Note;
}

// All that is known of a call is that MPI has refused an argument.
bool is_mere_refusal(const Finding& finding) {
    return finding.finding_class == FindingClass::InvalidArgument &&
           finding.message.starts_with("MPI refused ");
}

std::optional<std::size_t> cause_of(const std::vector<Finding>& findings,
                                    const ByClass& by_class,
                                    std::size_t effect) {
    Origins origins = origins_of(findings[effect].finding_class);
    // The launcher ends all when one process leaves without MPI_Finalize, not the other way round.
    // Who asks for something in a loop is between two calls now and then.
    if (is_end_from_outside(findings[effect])) {
        origins.push_back({FindingClass::MissingFinalize, Reach::Job});
        origins.push_back({FindingClass::RealDeadlock, Reach::Process});
        origins.push_back({FindingClass::RealHangUp, Reach::Process});
    }
    // What the processes give that does not fit says more.
    const bool refusal = is_mere_refusal(findings[effect]);
    if (refusal) origins.push_back({FindingClass::InvalidArgument, Reach::Call});
    const bool left = findings[effect].finding_class == FindingClass::MissingFinalize;
    for (const auto& [cause_class, reach] : origins) {
        const auto candidates = by_class.find(cause_class);
        if (candidates == by_class.end()) continue;
        for (const std::size_t cause : candidates->second) {
            if (left && is_end_from_outside(findings[cause])) continue;
            if (cause_class == FindingClass::InvalidArgument && refusal &&
                is_mere_refusal(findings[cause]))
                continue;
            if (cause != effect && reaches(reach, findings[cause], findings[effect])) return cause;
        }
    }
    // Found in one process, and once more beside the others: the first one says more.
    if (findings[effect].finding_class == FindingClass::UnfinishedCollective) {
        for (const std::size_t earlier : by_class.at(FindingClass::UnfinishedCollective)) {
            if (earlier < effect && share_a_call(findings[earlier], findings[effect]))
                return earlier;
        }
    }
    if (!is_about_the_outcome(findings[effect].finding_class)) return std::nullopt;
    const auto refused = std::ranges::find_if(findings, [&](const Finding& cause) {
        return follows_from_refusal(cause, findings[effect]);
    });
    if (refused == findings.end()) return std::nullopt;
    return static_cast<std::size_t>(refused - findings.begin());
}

// Calls of other processes that an operation would have met.
void add_those_who_missed(Finding& not_started, const Finding& effect) {
    for (const InvolvedCall& call : effect.calls) {
        if (not_started.calls.size() >= kMostCallsOfAbsent) return;
        if (std::ranges::binary_search(not_started.processes, call.process)) continue;
        if (is_one_of(call, not_started.calls)) continue;
        not_started.calls.push_back(call);
        not_started.calls.back().part = "misses it";
        not_started.calls.back().anomalous = false;
    }
}

void take_consequence(Finding& cause, Finding effect) {
    // What has ended a process in this run is no mere danger.
    if (effect.finding_class == FindingClass::Abend) cause.severity = Severity::Error;
    // Nor is what others have missed.
    if (cause.finding_class == FindingClass::NotStarted) {
        cause.severity = std::min(cause.severity, effect.severity);
        add_those_who_missed(cause, effect);
    }
    add_consequence(cause, std::string(name_of(effect.finding_class)) + ": " + effect.message);
    for (std::string& further : effect.consequences)
        add_consequence(cause, std::move(further));
}

std::tuple<int, std::uint64_t, int> order_of(const Finding& finding) {
    const int severity = static_cast<int>(finding.severity);
    if (finding.calls.empty()) return {severity, 0, 0};
    return {severity, finding.calls.front().event, finding.calls.front().process.value};
}

}  // namespace

void attach_consequences(Findings& findings) {
    std::vector<Finding>& all = findings.findings;
    ByClass by_class;
    for (std::size_t at = 0; at < all.size(); ++at)
        by_class[all[at].finding_class].push_back(at);
    std::vector<std::optional<std::size_t>> causes(all.size());
    for (std::size_t at = 0; at < all.size(); ++at)
        causes[at] = cause_of(all, by_class, at);
    // Who waits in one call keeps others waiting in theirs, in MPI_Finalize at the latest.
    const auto attached =
        std::ranges::find_if(by_class[FindingClass::IncompleteCall],
                             [&](std::size_t at) { return causes[at].has_value(); });
    if (attached != by_class[FindingClass::IncompleteCall].end()) {
        for (const std::size_t at : by_class[FindingClass::IncompleteCall])
            if (!causes[at]) causes[at] = causes[*attached];
    }
    // The table has no circles, so that this ends at a finding of its own.
    const auto root_of = [&](std::size_t at) {
        while (causes[at])
            at = *causes[at];
        return at;
    };
    std::vector<Finding> roots;
    for (std::size_t at = 0; at < all.size(); ++at) {
        if (causes[at]) take_consequence(all[root_of(at)], std::move(all[at]));
    }
    for (std::size_t at = 0; at < all.size(); ++at) {
        if (!causes[at]) roots.push_back(std::move(all[at]));
    }
    all = std::move(roots);
}

void sort_by_severity(Findings& findings) {
    std::ranges::stable_sort(findings.findings, {}, order_of);
}

}  // namespace mqinspect::analysis
