#include "analysis/pairing/report.h"

#include <algorithm>

namespace mqinspect::analysis {

using model::ProcessId;

namespace {

constexpr std::size_t kOverLimit = ~std::size_t{0};
constexpr std::size_t kLongestList = 8;
constexpr std::size_t kMostAlike = 1024;

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
    hash ^= value + 0x9e37'79b9'7f4a'7c15ULL + (hash << 6) + (hash >> 2);
    hash *= 0xff51'afd7'ed55'8ccdULL;
    return hash ^ (hash >> 32);
}

}  // namespace

void insert_process(std::vector<ProcessId>& processes, ProcessId process) {
    const auto place = std::lower_bound(processes.begin(), processes.end(), process);
    if (place == processes.end() || *place != process) processes.insert(place, process);
}

InterprocessReport::InterprocessReport(const model::Execution& execution,
                                       const CheckOptions& options,
                                       Members& members,
                                       Findings& findings)
    : execution_(execution),
      options_(options),
      members_(members),
      findings_(findings),
      several_worlds_(!execution.processes.empty() && execution.processes.back().world > 0),
      finalizing_(execution.processes.size()),
      counts_(execution.processes.size() + 1) {}

bool InterprocessReport::wanted(FindingClass finding_class) const {
    return std::find(options_.without.begin(), options_.without.end(), finding_class) ==
           options_.without.end();
}

std::uint64_t InterprocessReport::key(FindingClass finding_class,
                                      std::initializer_list<const EventSite*> sites) {
    std::uint64_t hash = mix(0, static_cast<std::uint64_t>(finding_class));
    for (const EventSite* site : sites) {
        hash = mix(hash, static_cast<std::uint64_t>(site->procedure.value));
        // Calls whose place is not known are told apart by where they are.
        hash = mix(hash, static_cast<std::uint64_t>(std::int64_t{site->stack.value}));
    }
    return hash;
}

bool InterprocessReport::count_again(std::uint64_t key,
                                     std::span<const ProcessId> processes,
                                     const EventSite* call) {
    const auto found = known_.find(key);
    if (found == known_.end()) return false;
    if (found->second == kOverLimit) return true;
    Finding& finding = findings_.findings[found->second];
    ++finding.count;
    for (const ProcessId process : processes)
        insert_process(finding.processes, process);
    if (call != nullptr && finding.alike.size() < kMostAlike)
        finding.alike.push_back(call->involved({}));
    return true;
}

void InterprocessReport::add(std::uint64_t key, Finding finding) {
    std::sort(finding.processes.begin(), finding.processes.end());
    finding.processes.erase(std::unique(finding.processes.begin(), finding.processes.end()),
                            finding.processes.end());
    const bool several = finding.processes.size() != 1;
    std::size_t& count = counts_[several ? counts_.size() - 1 : finding.processes[0].index()];
    if (!wanted(finding.finding_class) || count >= options_.errors_per_process) {
        known_[key] = kOverLimit;
        if (wanted(finding.finding_class)) findings_.complete = false;
        return;
    }
    ++count;
    known_[key] = findings_.findings.size();
    findings_.findings.push_back(std::move(finding));
}

std::string InterprocessReport::rank_text(ProcessId process) const {
    const model::RecordedProcess& recorded = execution_.processes[process.index()];
    std::string text = "rank " + std::to_string(recorded.rank.value);
    if (several_worlds_) text += " of world " + std::to_string(recorded.world);
    return text;
}

std::string InterprocessReport::ranks_text(std::vector<ProcessId> processes) const {
    std::sort(processes.begin(), processes.end());
    processes.erase(std::unique(processes.begin(), processes.end()), processes.end());
    if (processes.empty()) return "nobody";
    if (processes.size() == 1) return rank_text(processes[0]);
    std::vector<std::string> pieces;
    for (std::size_t begin = 0; begin < processes.size();) {
        std::size_t end = begin + 1;
        while (end < processes.size() && processes[end].value == processes[end - 1].value + 1 &&
               execution_.processes[processes[end].index()].world ==
                   execution_.processes[processes[begin].index()].world)
            ++end;
        const std::size_t length = end - begin;
        const auto number = [&](std::size_t at) {
            return std::to_string(execution_.processes[processes[at].index()].rank.value);
        };
        std::string piece = number(begin);
        if (length == 2) end = begin + 1;
        if (length > 2) piece += "-" + number(end - 1);
        if (several_worlds_) {
            piece +=
                " of world " + std::to_string(execution_.processes[processes[begin].index()].world);
        }
        pieces.push_back(std::move(piece));
        begin = end;
    }
    std::string text = "ranks ";
    for (std::size_t at = 0; at < pieces.size(); ++at) {
        if (at == kLongestList && pieces.size() > kLongestList + 1) {
            return text + " ... (" + std::to_string(processes.size()) + " ranks)";
        }
        if (at > 0) text += at + 1 == pieces.size() ? " and " : ", ";
        text += pieces[at];
    }
    return text;
}

std::string_view InterprocessReport::procedure_name(const EventSite& site) const {
    return execution_.procedures[site.procedure.index()].name;
}

std::string InterprocessReport::operation_text(const Operation& operation) const {
    std::string text(procedure_name(operation.site));
    text += operation.is_send ? "(dest " : "(source ";
    text += operation.any_source ? "any" : std::to_string(operation.peer_rank);
    text += ", tag ";
    text += operation.any_tag ? "any" : std::to_string(operation.tag);
    return text + ", " + members_.name(operation.communicator) + ")";
}

bool InterprocessReport::over(ProcessId process) const {
    using Kind = model::Termination::Kind;
    const Kind kind = execution_.processes[process.index()].termination.kind;
    if (kind == Kind::Finalized || kind == Kind::Exited) return true;
    return finalizing_[process.index()] && !crashed(process);
}

void InterprocessReport::unchecked(std::string reason) {
    auto& reasons = findings_.unchecked;
    if (std::ranges::find(reasons, reason) == reasons.end()) reasons.push_back(std::move(reason));
}

bool InterprocessReport::crashed(ProcessId process) const {
    using Kind = model::Termination::Kind;
    const Kind kind = execution_.processes[process.index()].termination.kind;
    return kind == Kind::Crashed || kind == Kind::Aborted;
}

}  // namespace mqinspect::analysis
