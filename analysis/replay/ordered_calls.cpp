#include "analysis/replay/ordered_calls.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "analysis/replay/player.h"

namespace mqinspect::analysis {

namespace {

bool can_be_played(const model::Execution& execution) {
    return execution.processes.size() <= RunClocks::kMostProcesses &&
           std::ranges::none_of(execution.processes, [](const model::RecordedProcess& process) {
               return process.incomplete || process.threads_may_call();
           });
}

/// Lets those go on whose calls returned in the run. False: nobody.
bool pass_returned(Player& player) {
    bool any = false;
    for (ThreadIndex thread = 0; thread < player.threads().size(); ++thread) {
        const PlayedThread& played = player.threads()[thread];
        if (!played.blocked || !played.head.returned || played.action == Action::Finalize) continue;
        player.pass(thread);
        any = true;
    }
    return any;
}

}  // namespace

OrderedCalls::OrderedCalls(const model::Recording& recording)
    : recording_(recording),
      kinds_(classify_procedures(recording.execution())),
      has_clocks_(can_be_played(recording.execution())),
      clocks_(
          recording.execution(), has_clocks_ ? recording.execution().processes.size() : 0, kinds_) {
}

void OrderedCalls::read_all(const Read& read) {
    has_clocks_ ? play(read) : read_side_by_side(read);
}

void OrderedCalls::play(const Read& read) {
    Members members(recording_.execution());
    Player player(recording_, kinds_, members, &clocks_);
    player.watch([&read](const model::RecordedCall& call) { read(call); });
    do {
        do {
            player.wake_others();
            player.run();
        } while (player.matcher().match_unresolved());
        lost_ = true;
    } while (pass_returned(player));
}

void OrderedCalls::read_side_by_side(const Read& read) {
    std::deque<std::unique_ptr<model::CallStream>> waiting;
    for (const model::RecordedProcess& process : recording_.execution().processes)
        waiting.push_back(recording_.calls(process.id));
    while (!waiting.empty()) {
        std::unique_ptr<model::CallStream> calls = std::move(waiting.front());
        waiting.pop_front();
        model::RecordedCall call;
        while (calls->next(call)) {
            if (!read(call)) continue;
            waiting.push_back(std::move(calls));
            break;
        }
    }
}

}  // namespace mqinspect::analysis
