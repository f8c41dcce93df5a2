#include "analysis/replay/check_replay.h"

#include <algorithm>

#include "analysis/pairing/check_pairing.h"
#include "analysis/replay/buffered_sends.h"
#include "analysis/replay/held_processes.h"
#include "analysis/replay/races.h"
#include "analysis/replay/ready_sends.h"
#include "analysis/replay/stuck_findings.h"

namespace mqinspect::analysis {

namespace {

/// Calls that are played to try other matchings, in all: some seconds.
constexpr std::uint64_t kMostAlternativeCalls = 20'000'000;

/// Lets those threads go on as in the run of which `may(thread)` says so. False: there are none.
template <class May>
bool let_pass_if(Player& player, const std::vector<ThreadIndex>& of, May may) {
    bool any = false;
    for (const ThreadIndex thread : of) {
        if (!may(thread)) continue;
        player.pass(thread);
        any = true;
    }
    return any;
}

/// Those first whom only strict rules hold up.
bool let_pass(Player& player, const StuckFindings& findings, const std::vector<ThreadIndex>& of) {
    return let_pass_if(
        player, of, [&](ThreadIndex thread) { return findings.held_by_rules(thread); });
}

std::vector<ThreadIndex> blocked_threads(const Player& player) {
    std::vector<ThreadIndex> blocked;
    for (ThreadIndex thread = 0; thread < player.threads().size(); ++thread)
        if (player.threads()[thread].blocked) blocked.push_back(thread);
    return blocked;
}

bool waits_at_window(const Player& player, const StuckThreads::Core& core) {
    return std::any_of(core.threads.begin(), core.threads.end(), [&](ThreadIndex thread) {
        return player.threads()[thread].window.window >= 0;
    });
}

/// MPI_Win_lock and MPI_Win_start, which may return early.
bool let_return_early(Player& player, const std::vector<ThreadIndex>& of) {
    return let_pass_if(player, of, [&](ThreadIndex thread) {
        const PlayedThread& played = player.threads()[thread];
        return played.window.window >= 0 && played.head.returned &&
               (played.action == Action::WindowLock || played.action == Action::WindowStart);
    });
}

/// The last resort: receives whose message is missing in the record.
bool let_pass_returned(Player& player, const std::vector<ThreadIndex>& of) {
    return let_pass_if(player, of, [&](ThreadIndex thread) {
        const PlayedThread& played = player.threads()[thread];
        return played.head.returned && played.action != Action::Finalize;
    });
}

/// Tells several.
class Visitors : public MatchVisitor {
public:
    explicit Visitors(std::vector<MatchVisitor*> all) : all_(std::move(all)) {}

    void on_start(OperationIndex index, const Operation& operation) override {
        for (MatchVisitor* one : all_)
            one->on_start(index, operation);
    }
    void on_met(const Operation& send, const Operation& receive) override {
        for (MatchVisitor* one : all_)
            one->on_met(send, receive);
    }
    void on_acknowledged(OperationIndex index, const Operation& send) override {
        for (MatchVisitor* one : all_)
            one->on_acknowledged(index, send);
    }
    void on_pair(const Operation& send, const Operation& receive) override {
        for (MatchVisitor* one : all_)
            one->on_pair(send, receive);
    }
    void on_wave(const Wave& wave) override {
        for (MatchVisitor* one : all_)
            one->on_wave(wave);
    }
    void on_whole(const Wave& wave) override {
        for (MatchVisitor* one : all_)
            one->on_whole(wave);
    }

private:
    std::vector<MatchVisitor*> all_;
};

/// What all plays of one run share.
class Replay {
public:
    Replay(const model::Recording& recording, const CheckOptions& options, Findings& findings)
        : recording_(recording),
          options_(options),
          findings_(findings),
          kinds_(classify_procedures(recording.execution())),
          members_(recording.execution()),
          report_(recording.execution(), options, members_, findings) {}

    enum class Pairing { Check, Leave };

    void check(Pairing pairing);

private:
    using Forced = std::vector<Matcher::Forced>;

    void play(Player& player, StuckFindings& stuck_findings);
    void check_races(Races& clocks, Matcher& matcher);
    void report(const Races::Race& race);
    /// Takes those out that cannot happen.
    void try_alternatives(std::vector<Races::Race>& races);
    /// False: it cannot happen, because the message is sent after the receive.
    bool play_alternative(const Forced& forced, const std::string& why);
    void settle(Player& player);
    Matcher::Forced forced_by(const Races::Race& race) const;
    std::string other_way(const Races::Race& race) const;

    const model::Recording& recording_;
    const CheckOptions& options_;
    Findings& findings_;
    std::vector<CallKind> kinds_;
    Members members_;
    InterprocessReport report_;
    StuckFindings::Seen seen_;
    std::uint64_t calls_left_ = kMostAlternativeCalls;
};

/// Plays until nobody can go on, whatever is known only at the end.
void Replay::settle(Player& player) {
    do {
        player.wake_others();
        player.run();
    } while (!player.out_of_limit() && player.matcher().match_unresolved());
    for (const model::RecordedProcess& process : recording_.execution().processes)
        if (player.finalizing(process.id)) report_.mark_over(process.id);
}

void Replay::play(Player& player, StuckFindings& stuck_findings) {
    while (true) {
        settle(player);
        std::vector<ThreadIndex> to_pass;
        StuckThreads stuck(player, report_);
        for (const StuckThreads::Core& core : stuck.solve()) {
            const bool held =
                std::any_of(core.threads.begin(), core.threads.end(), [&](ThreadIndex thread) {
                    return stuck_findings.held_by_rules(thread);
                });
            // A call that returned, although nothing but a message could end it, is one whose
            // message is missing in the record.
            if (stuck_findings.potential(core) && !held) continue;
            if (!stuck_findings.doubtful(core)) stuck_findings.add(stuck, core, "");
            if (held) to_pass.insert(to_pass.end(), core.threads.begin(), core.threads.end());
        }
        if (let_pass(player, stuck_findings, to_pass)) continue;
        const std::vector<ThreadIndex> blocked = blocked_threads(player);
        if (let_pass(player, stuck_findings, blocked)) continue;
        if (!let_pass_returned(player, blocked)) break;
    }
    stuck_findings.add_rest();
}

void Replay::check(Pairing pairing) {
    Races clocks(recording_.execution(), kinds_);
    PairingChecks checks(kinds_, report_);
    std::vector<MatchVisitor*> all = {&clocks};
    if (pairing == Pairing::Check) all.push_back(&checks);
    const bool with_ready = ReadySends::are_checked(recording_.execution(), kinds_);
    const bool with_buffered = BufferedSends::are_checked(recording_.execution(), kinds_);
    const bool with_clocks = with_ready || with_buffered;
    RunClocks run_clocks(
        recording_.execution(), with_clocks ? recording_.execution().processes.size() : 0, kinds_);
    ReadySends ready_sends(kinds_, run_clocks, report_);
    BufferedSends buffered_sends(run_clocks, report_, options_.strict);
    if (with_clocks) all.push_back(&run_clocks);
    if (with_ready) all.push_back(&ready_sends);
    if (with_buffered) all.push_back(&buffered_sends);
    Visitors visitors(std::move(all));
    Player player(recording_, kinds_, members_, &visitors);
    checks.look_at(player.matcher());
    if (checks.wants_calls() || with_buffered) {
        player.watch([&](const model::RecordedCall& call) {
            if (checks.wants_calls()) checks.see(call);
            if (with_buffered) buffered_sends.see(call);
        });
    }
    StuckFindings stuck_findings(player, report_, seen_, options_.strict);
    play(player, stuck_findings);
    check_races(clocks, player.matcher());
    ready_sends.finish();
    buffered_sends.finish();
    if (pairing == Pairing::Check) checks.finish(findings_);
    // The last: what others know by its place among the findings may move.
    attach_to_held(player, report_, stuck_findings, findings_);
}

void Replay::check_races(Races& clocks, Matcher& matcher) {
    if (clocks.given_up()) {
        findings_.unchecked.emplace_back(
            "Message races were not looked for: too many processes receive from any source.");
        return;
    }
    std::vector<Races::Race> races = clocks.races(matcher);
    try_alternatives(races);
    for (const Races::Race& race : races)
        report(race);
}

std::string Replay::other_way(const Races::Race& race) const {
    return std::string(report_.procedure_name(race.receive)) + " of " +
           report_.rank_text(race.receive.process) + " takes the message of " +
           report_.rank_text(race.other.process) + " instead of that of " +
           report_.rank_text(race.taken.process);
}

void Replay::report(const Races::Race& race) {
    const std::uint64_t key = InterprocessReport::key(FindingClass::MessageRace, {&race.receive});
    Finding finding;
    finding.finding_class = FindingClass::MessageRace;
    finding.severity = race.benign ? Severity::Note : Severity::Warning;
    finding.communicator = race.communicator;
    finding.count = race.count;
    finding.processes = {race.receive.process, race.taken.process, race.other.process};
    finding.calls = {race.receive.involved("receives from any source"),
                     race.taken.involved("the message it took"),
                     race.other.involved("could have come first")};
    finding.message = "It is a matter of chance which message " +
                      std::string(report_.procedure_name(race.receive)) + " of " +
                      report_.rank_text(race.receive.process) + " takes: it took that of " +
                      report_.rank_text(race.taken.process) + ", but that of " +
                      report_.rank_text(race.other.process) + " could have come first";
    if (race.benign && race.by_wildcard) {
        finding.message +=
            "; another receive from any source has got that one. Whether the program may confuse "
            "the two is not in the record.";
    } else if (race.benign) {
        finding.message +=
            "; the program has named the sender since. Whether it would have named the other "
            "one is not in the record.";
    } else if (race.received) {
        finding.message += ", for which another receive is meant.";
    } else {
        finding.message += ", which nobody has received.";
    }
    if (!report_.count_again(key, finding.processes)) report_.add(key, std::move(finding));
}

Matcher::Forced Replay::forced_by(const Races::Race& race) const {
    return {race.receive.process, race.receive.thread, race.receive.event, race.other_rank};
}

// Each alternative by itself, then two at a time. Only where the program does not seem to be
// ready for either message: what it would do then is not in the record. If another wildcard has
// taken the other message, the two just change places.
void Replay::try_alternatives(std::vector<Races::Race>& races) {
    std::vector<Races::Race*> candidates;
    for (Races::Race& race : races)
        if (!race.benign && !race.by_wildcard) candidates.push_back(&race);
    std::size_t left = options_.alternative_matchings;
    for (Races::Race* race : candidates) {
        if (left == 0 || calls_left_ == 0) break;
        --left;
        race->possible = play_alternative({forced_by(*race)}, other_way(*race));
    }
    std::erase_if(candidates, [](const Races::Race* race) { return !race->possible; });
    for (std::size_t one = 0; one < candidates.size(); ++one) {
        for (std::size_t two = one + 1; two < candidates.size(); ++two) {
            if (left == 0 || calls_left_ == 0) break;
            --left;
            play_alternative({forced_by(*candidates[one]), forced_by(*candidates[two])},
                             other_way(*candidates[one]) + " and " + other_way(*candidates[two]));
        }
    }
    if (!candidates.empty() && options_.alternative_matchings > 0 &&
        (left == 0 || calls_left_ == 0)) {
        findings_.unchecked.emplace_back(
            "Not all other matchings of receives from any source were tried: they are too many, "
            "or the run is too long.");
    }
    std::erase_if(races, [](const Races::Race& race) { return !race.possible; });
}

// The clocks of races know nothing of windows: that a lock, or MPI_Win_wait, lets the sender go on
// only after the receive is seen here, where its message never comes.
bool Replay::play_alternative(const Forced& forced, const std::string& why) {
    Player player(recording_, kinds_, members_);
    player.matcher().force(forced);
    player.limit(calls_left_);
    StuckFindings stuck_findings(player, report_, seen_, options_.strict);
    bool found = false;
    bool possible = true;
    while (!found && possible) {
        settle(player);
        if (player.out_of_limit()) break;
        bool ordered = false;
        StuckThreads stuck(player, report_);
        for (const StuckThreads::Core& core : stuck.solve()) {
            if (!stuck_findings.is_new(core) || stuck_findings.doubtful(core)) continue;
            ordered = !player.matcher().all_forced_met() && waits_at_window(player, core);
            if (ordered) break;
            stuck_findings.add(stuck, core, "This happens if " + why + ".");
            found = true;
        }
        const std::vector<ThreadIndex> blocked = blocked_threads(player);
        if (ordered) {
            possible = let_return_early(player, blocked);
        } else if (!found && !let_pass(player, stuck_findings, blocked)) {
            break;
        }
    }
    calls_left_ -= std::min(calls_left_, player.played());
    return possible;
}

}  // namespace

void check_replay(const model::Recording& recording,
                  const CheckOptions& options,
                  Findings& findings) {
    for (const model::RecordedProcess& process : recording.execution().processes) {
        if (!process.incomplete) continue;
        findings.unchecked.emplace_back(
            "Deadlocks were not looked for, because a part of the record is missing.");
        return;
    }
    Replay(recording, options, findings).check(Replay::Pairing::Leave);
}

// The play does not keep the order of time between the threads of a process, which says whose
// message is first; nor does it happen where a part is missing.
void check_pairing_and_replay(const model::Recording& recording,
                              const CheckOptions& options,
                              Findings& findings) {
    const auto& processes = recording.execution().processes;
    const bool apart = std::any_of(processes.begin(), processes.end(), [](const auto& process) {
        return process.incomplete || process.threads_may_call();
    });
    if (!apart) return Replay(recording, options, findings).check(Replay::Pairing::Check);
    check_pairing(recording, options, findings);
    check_replay(recording, options, findings);
}

}  // namespace mqinspect::analysis
