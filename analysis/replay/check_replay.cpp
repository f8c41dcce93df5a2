#include "analysis/replay/check_replay.h"

#include <algorithm>

#include "analysis/replay/stuck_findings.h"

namespace mqinspect::analysis {

namespace {

/// Lets go on who can be let go on as in the run, those first whom only strict rules hold up.
/// False: nobody.
bool let_pass(Player& player, const StuckFindings& findings, const std::vector<ThreadIndex>& of) {
    bool any = false;
    for (const ThreadIndex thread : of) {
        if (!findings.held_by_rules(thread)) continue;
        player.pass(thread);
        any = true;
    }
    return any;
}

std::vector<ThreadIndex> blocked_threads(const Player& player) {
    std::vector<ThreadIndex> blocked;
    for (ThreadIndex thread = 0; thread < player.threads().size(); ++thread)
        if (player.threads()[thread].blocked) blocked.push_back(thread);
    return blocked;
}

/// The last resort: receives whose message is missing in the record.
bool let_pass_returned(Player& player, const std::vector<ThreadIndex>& of) {
    bool any = false;
    for (const ThreadIndex thread : of) {
        const PlayedThread& played = player.threads()[thread];
        if (!played.head.returned || played.action == Action::Finalize) continue;
        player.pass(thread);
        any = true;
    }
    return any;
}

void play(Player& player, InterprocessReport& report, bool strict) {
    StuckFindings findings(player, report, strict);
    while (true) {
        player.run();
        if (player.matcher().match_unresolved()) {
            player.wake_others();
            continue;
        }
        for (const model::RecordedProcess& process : report.execution().processes)
            if (player.finalizing(process.id)) report.mark_over(process.id);
        StuckThreads stuck(player, report);
        std::vector<ThreadIndex> to_pass;
        for (const StuckThreads::Core& core : stuck.solve()) {
            const bool held =
                std::any_of(core.threads.begin(), core.threads.end(), [&](ThreadIndex thread) {
                    return findings.held_by_rules(thread);
                });
            // A call that returned, although nothing but a message could end it, is one whose
            // message is missing in the record.
            if (findings.potential(core) && !held) continue;
            findings.add(stuck, core, "");
            if (held) to_pass.insert(to_pass.end(), core.threads.begin(), core.threads.end());
        }
        if (let_pass(player, findings, to_pass)) continue;
        const std::vector<ThreadIndex> blocked = blocked_threads(player);
        if (let_pass(player, findings, blocked)) continue;
        if (!let_pass_returned(player, blocked)) break;
    }
    findings.add_rest();
}

}  // namespace

void check_replay(const model::Recording& recording,
                  const CheckOptions& options,
                  Findings& findings) {
    const model::Execution& execution = recording.execution();
    for (const model::RecordedProcess& process : execution.processes) {
        if (!process.incomplete) continue;
        findings.unchecked.emplace_back(
            "Deadlocks were not looked for, because a part of the record is missing.");
        return;
    }
    const std::vector<CallKind> kinds = classify_procedures(execution);
    Members members(execution);
    InterprocessReport report(execution, options, members, findings);
    Player player(recording, kinds, members);
    play(player, report, options.strict);
}

}  // namespace mqinspect::analysis
