#include "analysis/pairing/pair_checks.h"

#include <algorithm>
#include <array>

namespace mqinspect::analysis {

using model::ProcessId;

namespace {

/// Of messages of threads that do not seem to fit: more are not looked at.
constexpr std::size_t kMostUncertain = 1 << 14;

std::string wildcard_note(const Operation& receive) {
    if (!receive.inferred) return "";
    if (receive.too_short)
        return " The source of the receive was not recorded; what is left of others fits.";
    if (receive.alike)
        return " The source of the receive was not recorded; all that were left send the same.";
    return " The source of the receive was not recorded; it is the only sender that was left.";
}

void add_origin(Finding& finding, const EventSite* origin, std::string_view part) {
    if (origin != nullptr) finding.calls.push_back(origin->involved(part, false));
}

std::optional<EventSite> copy_of(const EventSite* site) {
    return site == nullptr ? std::nullopt : std::optional{*site};
}

Severity severity_of(FindingClass finding_class) {
    return finding_class == FindingClass::IncorrectSendSize ? Severity::Note : Severity::Error;
}

}  // namespace

Fit PairChecks::fit(const Operation& send, const Operation& receive) const {
    return signatures_.fit(send.datatype, send.count, receive.datatype, receive.count);
}

std::optional<FindingClass> PairChecks::misfit(const Operation& send,
                                               const Operation& receive) const {
    if (send.datatype != receive.datatype || send.count != receive.count) {
        switch (fit(send, receive)) {
            case Fit::Different:
                return FindingClass::WrongDataType;
            case Fit::Longer:
                return FindingClass::WrongSendSize;
            case Fit::Shorter:
                return FindingClass::IncorrectSendSize;
            case Fit::Unknown:
                return std::nullopt;
            case Fit::Equal:
                break;
        }
    }
    const bool differ =
        send.checksum != 0 && receive.checksum != 0 && send.checksum != receive.checksum;
    return differ ? std::optional{FindingClass::ReceiveChecksum} : std::nullopt;
}

bool PairChecks::by_threads(const Operation& operation) const {
    return report_.execution().processes[operation.site.process.index()].threads_communicate;
}

void PairChecks::check(const Operation& send, const Operation& receive, const Matcher& matcher) {
    if (!receive.has_buffer) return report_unclaimed(send, receive);
    if (receive.ambiguous) return;
    const auto wrong = misfit(send, receive);
    if (!wrong) return;
    const Pair pair{
        *wrong, send, receive, copy_of(matcher.origin(send)), copy_of(matcher.origin(receive))};
    const bool in_order = !by_threads(send) && !by_threads(receive);
    const bool fits =
        *wrong == FindingClass::IncorrectSendSize && send.checksum == receive.checksum;
    if (in_order || fits) return report(pair);
    if (uncertain_pairs_++ >= kMostUncertain) {
        report_.unchecked(
            "messages of threads that do not fit in the order of the record, behind the first " +
            std::to_string(kMostUncertain) + " of them");
        return;
    }
    uncertain_[{send.site.process, receive.site.process, send.communicator, send.tag}].push_back(
        pair);
}

void PairChecks::check_uncertain() {
    for (const auto& [channel, pairs] : uncertain_)
        check_channel(pairs);
    uncertain_.clear();
}

// A receive that fits the send of another pair is taken for its partner.
void PairChecks::check_channel(const std::vector<Pair>& pairs) {
    std::multimap<std::uint64_t, const Operation*> sends;  // by checksum
    for (const Pair& pair : pairs)
        sends.emplace(pair.send.checksum, &pair.send);
    for (const Pair& pair : pairs) {
        const auto [begin, end] = sends.equal_range(pair.receive.checksum);
        const auto partner = std::find_if(begin, end, [&](const auto& send) {
            const auto wrong = misfit(*send.second, pair.receive);
            return !wrong || *wrong == FindingClass::IncorrectSendSize;
        });
        if (partner == end) {
            report(pair);
        } else {
            sends.erase(partner);
        }
    }
}

void PairChecks::report(const Pair& pair) {
    const auto& [finding_class, send, receive, send_origin, receive_origin] = pair;
    // Both ends may be left incomplete by a ring of limited size.
    if (report_.incomplete(send.site.process) || report_.incomplete(receive.site.process)) return;
    const std::uint64_t key = InterprocessReport::key(finding_class, {&send.site, &receive.site});
    const std::array both{send.site.process, receive.site.process};
    if (report_.count_again(key, both)) return;
    Finding finding;
    finding.finding_class = finding_class;
    finding.severity = severity_of(finding_class);
    finding.processes.assign(both.begin(), both.end());
    finding.communicator = send.communicator;
    finding.calls.push_back(send.site.involved("the send"));
    finding.calls.push_back(receive.site.involved(
        receive_origin && receive.site.procedure != send.site.procedure ? "takes the message"
                                                                        : "the receive"));
    add_origin(finding, send_origin ? &*send_origin : nullptr, "where the send was made");
    add_origin(finding, receive_origin ? &*receive_origin : nullptr, "where its buffer is given");
    const std::string sender = report_.rank_text(send.site.process);
    const std::string receiver = report_.rank_text(receive.site.process);
    const std::string sent = signatures_.describe(send.datatype, send.count);
    const std::string room = signatures_.describe(receive.datatype, receive.count);
    const std::string difference =
        signatures_.difference(send.datatype, send.count, receive.datatype, receive.count);
    switch (finding_class) {
        case FindingClass::WrongDataType:
            finding.message = sender + " sends " + sent + ", but " + receiver + " receives " +
                              room + ": " + difference + ".";
            break;
        case FindingClass::WrongSendSize:
            finding.message = sender + " sends " + sent + ", more than the " + room + " that " +
                              receiver + " has room for (" + difference +
                              "): the message is truncated.";
            break;
        case FindingClass::IncorrectSendSize:
            finding.message = sender + " sends " + sent + ", fewer than the " + room + " that " +
                              receiver + " has room for.";
            break;
        default:
            finding.message = receiver + " did not receive what " + sender +
                              " sent: the checksums of the " + sent + " differ.";
            break;
    }
    finding.message[0] = 'R';
    finding.message += wildcard_note(receive);
    report_.add(key, std::move(finding));
}

void PairChecks::report_unclaimed(const Operation& send, const Operation& probe) {
    if (report_.incomplete(send.site.process) || report_.incomplete(probe.site.process)) return;
    if (!report_.over(probe.site.process)) return;
    const std::uint64_t key =
        InterprocessReport::key(FindingClass::NonpairedSend, {&send.site, &probe.site});
    const std::array both{send.site.process, probe.site.process};
    if (report_.count_again(key, both)) return;
    Finding finding;
    finding.finding_class = FindingClass::NonpairedSend;
    finding.severity = Severity::Error;
    finding.processes.assign(both.begin(), both.end());
    finding.communicator = send.communicator;
    finding.calls.push_back(send.site.involved("never received"));
    finding.calls.push_back(probe.site.involved("takes the message"));
    finding.message = report_.operation_text(send) + " of " + report_.rank_text(send.site.process) +
                      " is received by nobody: " + report_.rank_text(probe.site.process) +
                      " has taken the message with " +
                      std::string(report_.procedure_name(probe.site)) +
                      ", but has not received it with MPI_Mrecv or MPI_Imrecv.";
    report_.add(key, std::move(finding));
}

// Nobody is left who could come: all possible partners have finished.
bool PairChecks::will_never_be_met(const Operation& operation) const {
    const ProcessId process = operation.site.process;
    if (report_.incomplete(process)) return false;
    const auto gone = [&](ProcessId peer) {
        return peer.value >= 0 && !report_.incomplete(peer) && report_.over(peer);
    };
    if (operation.peer.value >= 0) return gone(operation.peer);
    const Members& members = report_.members();
    for (std::uint32_t member = 0; member < members.size(operation.communicator); ++member) {
        const ProcessId peer = members.process(operation.communicator, member);
        const bool itself = peer == process && operation.site.returned == false;
        if (!itself && !gone(peer)) return false;
    }
    return true;
}

void PairChecks::check_open(Matcher& matcher) {
    const std::vector<OperationIndex> indices = matcher.open_operations();
    std::vector<const Operation*> open;
    for (const OperationIndex index : indices) {
        const Operation& operation = matcher.operation(index);
        const bool blocking = operation.site.returned && operation.completed && !operation.is_send;
        // A receive that has returned has met something: what, is missing in the record.
        if (!blocking) open.push_back(&operation);
    }
    for (const Operation* operation : open)
        if (will_never_be_met(*operation)) report_open(*operation, open, matcher);
}

void PairChecks::report_open(const Operation& operation,
                             std::span<const Operation* const> open,
                             const Matcher& matcher) {
    const auto finding_class =
        operation.is_send ? FindingClass::NonpairedSend : FindingClass::NonpairedReceive;
    const ProcessId process = operation.site.process;
    std::uint64_t key = InterprocessReport::key(finding_class, {&operation.site});
    const std::array itself{process};
    if (report_.count_again(key, itself, &operation.site)) return;
    Finding finding;
    finding.finding_class = finding_class;
    finding.severity = Severity::Error;
    finding.processes = {process};
    finding.communicator = operation.communicator;
    if (operation.peer.value >= 0) finding.partner = operation.peer;
    finding.calls.push_back(operation.site.involved("never matched"));
    add_origin(finding, matcher.origin(operation), "where it was made");
    finding.message = report_.operation_text(operation) + " of " + report_.rank_text(process);
    if (operation.is_send) {
        finding.message += " is received by nobody: " + report_.rank_text(operation.peer) +
                           " has ended without a receive for it.";
    } else if (operation.any_source) {
        finding.message += " gets no message: all processes that could send one have ended.";
    } else {
        finding.message += " gets no message: " + report_.rank_text(operation.peer) +
                           " has ended without a send for it.";
    }
    // The right partner with something wrong about it.
    for (const Operation* other : open) {
        if (other->is_send == operation.is_send || other == &operation) continue;
        const bool meets = (operation.any_source || operation.peer == other->site.process) &&
                           (other->any_source || other->peer == process);
        if (!meets) continue;
        finding.message += " Nothing has met " + report_.operation_text(*other) + " of " +
                           report_.rank_text(other->site.process) + " either.";
        finding.calls.push_back(other->site.involved("also never matched"));
        insert_process(finding.processes, other->site.process);
        break;
    }
    report_.add(key, std::move(finding));
}

}  // namespace mqinspect::analysis
