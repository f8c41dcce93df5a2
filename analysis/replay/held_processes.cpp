#include "analysis/replay/held_processes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mqinspect::analysis {

namespace {

using model::ProcessId;

bool is_of_open_call(const Finding& finding) {
    return finding.finding_class == FindingClass::IncompleteCall ||
           finding.finding_class == FindingClass::UnfinishedSend ||
           finding.finding_class == FindingClass::UnfinishedReceive;
}

/// By process: the finding about a call that has not returned, and that the play knows nothing to
/// wait for of.
std::map<ProcessId, std::size_t> find_held(const Player& player,
                                           const InterprocessReport& report,
                                           const Findings& findings) {
    std::map<ProcessId, std::size_t> held;
    for (std::size_t at = 0; at < findings.findings.size(); ++at) {
        const Finding& finding = findings.findings[at];
        if (finding.finding_class != FindingClass::IncompleteCall) continue;
        for (const InvolvedCall& call : finding.calls) {
            if (call.returned || !call.anomalous || report.over(call.process)) continue;
            const auto threads = player.threads_of(call.process);
            const bool blocked = std::ranges::any_of(
                threads, [&](ThreadIndex thread) { return player.threads()[thread].blocked; });
            if (!blocked && player.ended(call.process)) held.emplace(call.process, at);
        }
    }
    return held;
}

/// All that the finding is about are calls of those who wait.
bool is_about(const Finding& finding, const std::vector<const EventSite*>& waiting) {
    return is_of_open_call(finding) &&
           std::ranges::all_of(finding.calls, [&](const InvolvedCall& call) {
               return !call.anomalous || std::ranges::any_of(waiting, [&](const EventSite* site) {
                   return site->process == call.process && site->thread == call.thread &&
                          site->event == call.event;
               });
           });
}

}  // namespace

void attach_to_held(Player& player,
                    const InterprocessReport& report,
                    const StuckFindings& words,
                    Findings& findings) {
    const auto held = find_held(player, report, findings);
    if (held.empty()) return;
    std::vector<bool> waits_for_itself(report.execution().processes.size());
    for (const auto& [process, finding] : held)
        waits_for_itself[process.index()] = true;
    StuckThreads stuck(player, report, std::move(waits_for_itself));
    std::vector<const EventSite*> waiting;
    for (const StuckThreads::Core& core : stuck.solve()) {
        if (!core.held) continue;
        words.add_victims(stuck, core, findings.findings[held.at(*core.held)]);
        for (const ThreadIndex victim : core.victims)
            waiting.push_back(&player.threads()[victim].head);
    }
    std::erase_if(findings.findings,
                  [&](const Finding& finding) { return is_about(finding, waiting); });
}

}  // namespace mqinspect::analysis
