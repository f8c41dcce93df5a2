#include "analysis/replay/buffered_sends.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "analysis/datatypes/checked.h"

namespace mqinspect::analysis {

namespace {

// What one process may have on its way, as far as it is kept: then the oldest are taken to have
// been received.
constexpr std::size_t kMostMessages = 4096;

/// MPI 4.1 has buffers of communicators and sessions, and ones that grow.
bool has_other_buffers(const model::Execution& execution) {
    return std::ranges::any_of(execution.procedures, [](const model::Procedure& procedure) {
        const std::string_view name = procedure.name;
        return name.ends_with("_attach_buffer") || name.ends_with("uffer_flush") ||
               name.ends_with("_flush_buffer") || name.ends_with("uffer_iflush");
    });
}

}  // namespace

BufferedSends::BufferedSends(RunClocks& clocks, InterprocessReport& report, bool strict)
    : clocks_(clocks),
      report_(report),
      strict_(strict),
      overhead_(report.execution().constant("MPI_BSEND_OVERHEAD", 0)),
      senders_(report.execution().processes.size()) {}

bool BufferedSends::are_checked(const model::Execution& execution,
                                const std::vector<CallKind>& kinds) {
    return has_sends(kinds, model::SendMode::Buffered) && RunClocks::know_all(execution) &&
           !has_other_buffers(execution);
}

void BufferedSends::see(const model::RecordedCall& call) {
    if (!call.leave_event || call.error_code != 0 || call.procedure.value < 0) return;
    const model::Procedure& procedure = report_.execution().procedures[call.procedure.index()];
    const std::string_view name = procedure.name;
    if (!name.starts_with("MPI_Buffer_")) return;
    Sender& sender = senders_[call.process.index()];
    // MPI_Buffer_detach waits for what is in the buffer.
    sender.attached.reset();
    if (!name.starts_with("MPI_Buffer_attach")) return;
    for (std::size_t at = 0; at < procedure.parameters.size() && at < call.before.size(); ++at) {
        if (procedure.parameters[at].name != "size") continue;
        sender.attached =
            Attached{event_site_of(call), call.before[at].number, ++sender.attachments};
    }
}

void BufferedSends::on_start(OperationIndex index, const Operation& operation) {
    if (!operation.is_send || !operation.buffered || operation.peer.value < 0) return;
    const EventSite& site = operation.site;
    Sender& sender = senders_[site.process.index()];
    const auto& types = report_.execution().datatypes;
    const bool known = operation.datatype.value >= 0 && operation.datatype.index() < types.size();
    if (!site.returned || !sender.attached || !known) return;
    const auto bytes =
        checked_step(overhead_, operation.count, types[operation.datatype.index()].size);
    if (!bytes || *bytes < overhead_) return;
    sender.messages.push_back(std::make_shared<Message>(
        Message{site, *bytes, *sender.attached, clocks_.of(site.process)}));
    started_[index] = sender.messages.back();
    look(sender, false);
}

void BufferedSends::on_pair(const Operation& send, const Operation& receive) {
    const auto found = started_.extract(receive.partner);
    if (!found) return;
    Message& message = *found.mapped();
    message.receiver = receive.site.process;
    message.received = receive.site.event;
    message.paired = true;
    Sender& sender = senders_[send.site.process.index()];
    if (message.pending) --sender.unpaired;
    look(sender, false);
}

void BufferedSends::finish() {
    for (Sender& sender : senders_)
        look(sender, true);
}

/// Whether an earlier message is pending is known once it has met its receive, or never will:
/// `all`. The play may come to the receive later than to the next send.
void BufferedSends::look(Sender& sender, bool all) {
    while (sender.next < sender.messages.size()) {
        if (sender.messages.size() > kMostMessages) forget(sender, 0);
        if (sender.unpaired > 0 && !all) return;
        const std::shared_ptr<Message> now = sender.messages[sender.next];
        forget_received(sender, *now);
        now->pending = true;
        sender.pending += now->bytes;
        sender.unpaired += now->paired ? 0U : 1U;
        sender.known = std::exchange(now->known, nullptr);
        ++sender.next;
        if (sender.next < 2 || sender.pending <= now->attached.bytes) continue;
        report(sender, *now);
        forget(sender, 0);
    }
}

/// Those that were looked at, from there on.
void BufferedSends::forget(Sender& sender, std::size_t from) {
    for (std::size_t at = from; at < sender.next; ++at) {
        Message& one = *sender.messages[at];
        one.pending = false;
        sender.pending -= one.bytes;
        sender.unpaired -= one.paired ? 0U : 1U;
    }
    const auto begin = sender.messages.begin();
    sender.messages.erase(begin + static_cast<std::ptrdiff_t>(from),
                          begin + static_cast<std::ptrdiff_t>(sender.next));
    sender.next = from;
}

void BufferedSends::forget_received(Sender& sender, const Message& now) {
    const bool detached =
        sender.next > 0 && sender.messages.front()->attached.number != now.attached.number;
    if (sender.known == now.known && !detached) return;
    const auto is_pending = [&](const std::shared_ptr<Message>& one) {
        if (one->attached.number != now.attached.number) return false;
        if (!one->paired) return true;
        if (one->receiver == now.send.process) return one->received > now.send.event;
        return (*now.known)[one->receiver.index()] <= one->received;
    };
    const auto begin = sender.messages.begin();
    const auto rest =
        std::stable_partition(begin, begin + static_cast<std::ptrdiff_t>(sender.next), is_pending);
    forget(sender, static_cast<std::size_t>(rest - begin));
}

void BufferedSends::report(const Sender& sender, const Message& now) {
    const std::uint64_t key = InterprocessReport::key(FindingClass::InvalidArgument, {&now.send});
    Finding finding;
    finding.finding_class = FindingClass::InvalidArgument;
    finding.severity = strict_ ? Severity::Error : Severity::Warning;
    finding.processes = {now.send.process};
    finding.calls = {now.send.involved("needs more than there is"),
                     now.attached.site.involved("attaches the buffer", false)};
    finding.message = std::string(report_.procedure_name(now.send)) + " of " +
                      report_.rank_text(now.send.process) +
                      " may need more of the attached buffer than there "
                      "is: " +
                      std::to_string(sender.next) +
                      " messages that nobody is known to have received "
                      "take " +
                      std::to_string(sender.pending) + " bytes, MPI_BSEND_OVERHEAD (" +
                      std::to_string(overhead_) + ") for each of them included, but " +
                      std::to_string(now.attached.bytes) + " are attached.";
    if (!report_.count_again(key, finding.processes)) report_.add(key, std::move(finding));
}

}  // namespace mqinspect::analysis
