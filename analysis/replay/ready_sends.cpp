#include "analysis/replay/ready_sends.h"

#include <string>
#include <utility>

namespace mqinspect::analysis {

bool ReadySends::are_checked(const model::Execution& execution,
                             const std::vector<CallKind>& kinds) {
    return has_sends(kinds, model::SendMode::Ready) && RunClocks::know_all(execution);
}

void ReadySends::on_start(OperationIndex index, const Operation& operation) {
    if (!operation.is_send || operation.peer.value < 0) return;
    const EventSite& site = operation.site;
    if (kinds_[site.procedure.index()].mode == model::SendMode::Ready)
        started_[index] = {operation, clocks_.of(site.process)};
}

void ReadySends::on_pair(const Operation& send, const Operation& receive) {
    const auto found = started_.find(receive.partner);
    if (found == started_.end()) return;
    const Started started = std::move(found->second);
    started_.erase(found);
    const EventSite& site = receive.site;
    const bool to_itself = site.process == send.site.process;
    if (to_itself && site.event < send.site.event) return;
    if ((*started.known)[site.process.index()] <= site.event) add(send, &site);
}

void ReadySends::finish() {
    for (const auto& [index, started] : started_)
        add(started.send, nullptr);
}

void ReadySends::add(const Operation& send, const EventSite* receive) {
    const std::uint64_t key = InterprocessReport::key(FindingClass::InvalidArgument, {&send.site});
    Finding finding;
    finding.finding_class = FindingClass::InvalidArgument;
    finding.severity = Severity::Error;
    finding.communicator = send.communicator;
    finding.processes = {send.site.process, send.peer};
    finding.calls = {send.site.involved("the send")};
    if (receive != nullptr) finding.calls.push_back(receive->involved("its receive", false));
    finding.message =
        std::string(report_.procedure_name(send.site)) + " of " +
        report_.rank_text(send.site.process) + " needs a receive that " +
        report_.rank_text(send.peer) + " has posted already, but " +
        (receive == nullptr ? "there is none." : "nothing makes sure that it has done so by then.");
    if (!report_.count_again(key, finding.processes)) report_.add(key, std::move(finding));
}

}  // namespace mqinspect::analysis
