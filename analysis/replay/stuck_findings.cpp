#include "analysis/replay/stuck_findings.h"

#include <algorithm>
#include <optional>

namespace mqinspect::analysis {

using model::ProcessId;

namespace {

constexpr std::size_t kMostSentences = 8;
constexpr std::size_t kMostVictims = 8;
constexpr std::size_t kMostStarts = 4;
/// A finding with so many calls looks for nothing further that they might have missed.
constexpr std::size_t kMostCalls = 32;

std::string capital(std::string text) {
    if (!text.empty() && text[0] == 'r') text[0] = 'R';
    return text;
}

FindingClass class_of(bool cyclic, bool potential) {
    if (cyclic) return potential ? FindingClass::PotentialDeadlock : FindingClass::RealDeadlock;
    return potential ? FindingClass::PotentialHangUp : FindingClass::RealHangUp;
}

/// The call that has started a thread's part of a nonblocking collective operation.
const EventSite* started_by(const PlayedThread& thread, const Wave& wave) {
    for (const Contribution& one : wave.contributions) {
        const EventSite& site = one.site;
        if (!one.arrived || site.process != thread.process) continue;
        return site.event == thread.head.event && site.thread == thread.number ? nullptr : &site;
    }
    return nullptr;
}

/// Unless it is there already.
void add_call(Finding& finding,
              const EventSite& site,
              std::string_view part,
              bool anomalous = true) {
    const bool known = std::ranges::any_of(finding.calls, [&](const InvolvedCall& call) {
        return call.process == site.process && call.event == site.event;
    });
    if (!known) finding.calls.push_back(site.involved(part, anomalous));
}

}  // namespace

bool StuckFindings::held_by_rules(ThreadIndex index) const {
    const PlayedThread& thread = player_.threads()[index];
    if (!thread.head.returned || thread.action == Action::Finalize || thread.waits.polling) {
        return false;
    }
    if (thread.window.window >= 0) return thread.window.kind != WindowWait::Kind::Completes;
    for (const WaveIndex wave : thread.waits.waves)
        if (player_.waits_for_wave(index, wave)) return true;
    return std::any_of(thread.waits.operations.begin(),
                       thread.waits.operations.end(),
                       [&](OperationIndex operation) {
                           return player_.waits_for(index, operation) &&
                                  player_.matcher().operation(operation).is_send;
                       });
}

bool StuckFindings::potential(const StuckThreads::Core& core) const {
    return std::any_of(core.threads.begin(), core.threads.end(), [&](ThreadIndex thread) {
        return player_.threads()[thread].head.returned;
    });
}

bool StuckFindings::doubtful(const StuckThreads::Core& core) const {
    return potential(core) &&
           std::any_of(core.threads.begin(), core.threads.end(), [&](ThreadIndex thread) {
               return player_.matcher().went_on_by_test(player_.threads()[thread].process);
           });
}

// "MPI_Recv(source 1, tag 7, MPI_COMM_WORLD)", "MPI_Waitall for MPI_Irecv(...)".
std::string StuckFindings::call_text(ThreadIndex index) const {
    const PlayedThread& thread = player_.threads()[index];
    std::string name(report_.procedure_name(thread.head));
    std::vector<const Operation*> open;
    for (const OperationIndex operation : thread.waits.operations) {
        if (player_.waits_for(index, operation)) {
            open.push_back(&player_.matcher().operation(operation));
        }
    }
    if (!open.empty()) {
        std::string first = report_.operation_text(*open.front());
        if (thread.action != Action::Complete) return first;
        std::string text = name + " for " + first;
        if (open.size() > 1) text += " and " + std::to_string(open.size() - 1) + " more";
        return text;
    }
    if (!thread.waits.waves.empty()) {
        const Wave& wave = player_.matcher().wave(thread.waits.waves.front());
        if (wave.communicator.value < 0) return name;
        return name + " on " + report_.members().name(wave.communicator);
    }
    if (thread.waits.probe) {
        return name + " on " + report_.members().name(thread.waits.communicator);
    }
    return name;
}

std::string StuckFindings::wait_text(const StuckThreads& stuck, ThreadIndex index) const {
    const PlayedThread& thread = player_.threads()[index];
    const std::vector<ProcessId> targets = stuck.targets(index);
    std::string text = capital(report_.rank_text(thread.process)) +
                       (thread.polls.waiting() ? " asks again and again with " : " waits in ") +
                       call_text(index) + " for ";
    if (targets.size() == 1 && targets[0] == thread.process) return text + "itself";
    bool any = thread.waits.any || (thread.waits.probe && thread.waits.probed.value < 0);
    for (const OperationIndex operation : thread.waits.operations) {
        any = any || (player_.waits_for(index, operation) &&
                      player_.matcher().operation(operation).peer.value < 0);
    }
    if (any && targets.size() > 1) text += "any of ";
    return text + report_.ranks_text(targets);
}

// A message for the receiver that it does not take.
const Operation* StuckFindings::near_miss(ThreadIndex index) const {
    const PlayedThread& thread = player_.threads()[index];
    std::optional<std::vector<OperationIndex>> open;
    for (const OperationIndex operation : thread.waits.operations) {
        if (!player_.waits_for(index, operation)) continue;
        const Operation& awaited = player_.matcher().operation(operation);
        if (awaited.is_send) continue;
        if (!open) open = player_.matcher().open_operations();
        for (const OperationIndex other : *open) {
            const Operation& send = player_.matcher().operation(other);
            if (!send.is_send || send.peer != thread.process) continue;
            if (awaited.peer.value < 0 || send.site.process == awaited.peer) return &send;
        }
    }
    return nullptr;
}

// Who starts for whom, and who posts for whom, where only one of the two names the other.
std::string StuckFindings::groups_text(ThreadIndex index) const {
    const auto wrong = player_.wrong_groups(player_.threads()[index]);
    if (!wrong) return {};
    return " " + capital(report_.rank_text(wrong->start.site.process)) +
           " has called MPI_Win_start for " + report_.ranks_text(wrong->start.group) + ", but " +
           report_.rank_text(wrong->post.site.process) + " MPI_Win_post for " +
           report_.ranks_text(wrong->post.group) + ": the groups do not fit.";
}

std::string StuckFindings::sentence(const StuckThreads& stuck,
                                    const StuckThreads::Core& core) const {
    std::string text;
    if (core.cyclic && core.threads.size() > 1) {
        std::vector<ProcessId> processes;
        for (const ThreadIndex thread : core.threads)
            processes.push_back(player_.threads()[thread].process);
        text = capital(report_.ranks_text(processes)) + " wait for each other. ";
    }
    for (std::size_t at = 0; at < std::min(core.threads.size(), kMostSentences); ++at) {
        const ThreadIndex thread = core.threads[at];
        if (at > 0) text += " ";
        text += wait_text(stuck, thread);
        const std::vector<ProcessId> targets = stuck.targets(thread);
        if (!core.cyclic) text += targets.size() == 1 ? ", which has ended" : ", which have ended";
        text += ".";
        if (const Operation* send = near_miss(thread)) {
            text += " " + capital(report_.rank_text(send->site.process)) + " has " +
                    report_.operation_text(*send) + ", which it does not take.";
        }
        const std::string groups = groups_text(thread);
        if (text.find(groups) == text.npos) text += groups;
    }
    if (core.threads.size() > kMostSentences) {
        text += " And " + std::to_string(core.threads.size() - kMostSentences) + " more.";
    }
    return text;
}

void StuckFindings::add_calls(const StuckThreads& stuck,
                              ThreadIndex index,
                              Finding& finding) const {
    const PlayedThread& thread = player_.threads()[index];
    insert_process(finding.processes, thread.process);
    finding.calls.push_back(
        thread.head.involved("waits for " + report_.ranks_text(stuck.targets(index))));
    std::size_t starts = 0;
    for (const OperationIndex operation : thread.waits.operations) {
        if (!player_.waits_for(index, operation)) continue;
        const Operation& awaited = player_.matcher().operation(operation);
        if (!finding.communicator) finding.communicator = awaited.communicator;
        if (awaited.site.event == thread.head.event) continue;
        if (starts++ < kMostStarts) {
            finding.calls.push_back(awaited.site.involved("started it", false));
        }
    }
    const Operation* send = finding.calls.size() < kMostCalls ? near_miss(index) : nullptr;
    if (send != nullptr) add_call(finding, send->site, "is not taken", false);
    if (const auto wrong = player_.wrong_groups(thread)) {
        add_call(
            finding, wrong->start.site, "starts for " + report_.ranks_text(wrong->start.group));
        add_call(finding, wrong->post.site, "posts for " + report_.ranks_text(wrong->post.group));
        insert_process(finding.processes, wrong->start.site.process);
        insert_process(finding.processes, wrong->post.site.process);
    }
    for (const WaveIndex wave : thread.waits.waves) {
        if (!player_.waits_for_wave(index, wave)) continue;
        const Wave& awaited = player_.matcher().wave(wave);
        if (!finding.communicator && awaited.communicator.value >= 0)
            finding.communicator = awaited.communicator;
        const EventSite* start = started_by(thread, awaited);
        if (start != nullptr && starts++ < kMostStarts) {
            finding.calls.push_back(start->involved("started it", false));
        }
    }
}

std::vector<std::uint64_t> StuckFindings::calls_of(const StuckThreads::Core& core) const {
    std::vector<std::uint64_t> calls;
    for (const ThreadIndex thread : core.threads) {
        const PlayedThread& played = player_.threads()[thread];
        calls.push_back(static_cast<std::uint64_t>(thread) << 40 | played.head.event);
    }
    std::sort(calls.begin(), calls.end());
    return calls;
}

bool StuckFindings::waits_for_lock(ThreadIndex thread) const {
    const WindowWait& wait = player_.threads()[thread].window;
    return wait.window >= 0 && wait.kind == WindowWait::Kind::Lock;
}

bool StuckFindings::is_told_by_lock(const std::vector<ThreadIndex>& threads) {
    bool any = false;
    bool later = false;
    std::vector<std::uint64_t> key;
    for (const ThreadIndex thread : threads) {
        const PlayedThread& played = player_.threads()[thread];
        const bool lock = waits_for_lock(thread);
        any = any || lock;
        later = later || (lock && played.action != Action::WindowLock);
        key.push_back(thread);
        key.push_back(lock ? ~static_cast<std::uint64_t>(played.window.window) : played.head.event);
    }
    if (later) return told_locks_.contains(key);
    if (any) told_locks_.insert(std::move(key));
    return false;
}

std::string_view StuckFindings::passed_because(const std::vector<ThreadIndex>& threads) const {
    const bool locks =
        std::ranges::any_of(threads, [this](ThreadIndex one) { return waits_for_lock(one); });
    if (locks) {
        return " The run got through because the locks were had in another order, or later "
               "than they were asked for, which MPI does not promise.";
    }
    return " The run got through because a message was buffered or a collective operation did not "
           "wait for all, which MPI does not promise.";
}

void StuckFindings::add(const StuckThreads& stuck,
                        const StuckThreads::Core& core,
                        const std::string& why) {
    std::vector<ThreadIndex> order = core.threads;
    std::sort(order.begin(), order.end(), [&](ThreadIndex left, ThreadIndex right) {
        return player_.threads()[left].process < player_.threads()[right].process;
    });
    std::uint64_t key = 0;
    const bool may_pass = potential(core) || !why.empty();
    const FindingClass finding_class = class_of(core.cyclic, may_pass);
    std::vector<ProcessId> processes;
    for (const ThreadIndex thread : order) {
        const EventSite& head = player_.threads()[thread].head;
        key = key * 31 + InterprocessReport::key(finding_class, {&head});
        insert_process(processes, head.process);
    }
    if (!may_pass) {
        really_stuck_.insert(order.begin(), order.end());
        really_stuck_.insert(core.victims.begin(), core.victims.end());
        for (const Admission& admission : admissions_of(order))
            really_kept_out_.insert(admission);
    }
    if (order.empty() || !seen_.insert(calls_of(core)).second) return;
    if (may_pass && why.empty() && is_told_by_lock(order)) return;
    if (report_.count_again(key, processes)) return;
    Finding finding;
    finding.finding_class = finding_class;
    finding.severity = may_pass && !strict_ ? Severity::Warning : Severity::Error;
    for (const ThreadIndex thread : order)
        add_calls(stuck, thread, finding);
    StuckThreads::Core sorted = core;
    sorted.threads = order;
    finding.message = sentence(stuck, sorted);
    const std::vector<ProcessId> targets = stuck.targets(order.front());
    if (!core.cyclic && targets.size() == 1) finding.partner = targets.front();
    if (!why.empty()) {
        finding.message += " " + why;
    } else if (may_pass) {
        finding.message += passed_because(order);
    }
    add_victims(stuck, core, finding);
    if (!may_pass || !why.empty()) return report_.add(key, std::move(finding));
    add_or_defer(order, key, std::move(finding));
}

void StuckFindings::add_victims(const StuckThreads& stuck,
                                const StuckThreads::Core& core,
                                Finding& finding) const {
    for (std::size_t at = 0; at < std::min(core.victims.size(), kMostVictims); ++at) {
        finding.consequences.push_back(wait_text(stuck, core.victims[at]) +
                                       ", and cannot go on either.");
    }
    if (core.victims.size() > kMostVictims) {
        finding.consequences.push_back(std::to_string(core.victims.size() - kMostVictims) +
                                       " more processes cannot go on either.");
    }
}

void StuckFindings::add_or_defer(const std::vector<ThreadIndex>& threads,
                                 std::uint64_t key,
                                 Finding finding) {
    Deferred deferred{key, {}, admissions_of(threads), std::move(finding)};
    for (const ThreadIndex thread : threads)
        if (!player_.threads()[thread].head.returned) deferred.never_returned.push_back(thread);
    if (deferred.never_returned.empty() && deferred.admissions.empty())
        return report_.add(key, std::move(deferred.finding));
    deferred_.push_back(std::move(deferred));
}

std::vector<StuckFindings::Admission> StuckFindings::admissions_of(
    const std::vector<ThreadIndex>& threads) const {
    std::vector<Admission> admissions;
    for (const ThreadIndex thread : threads) {
        const WindowWait& wait = player_.threads()[thread].window;
        if (wait.window >= 0 && wait.kind != WindowWait::Kind::Completes)
            admissions.emplace_back(thread, wait.window);
    }
    return admissions;
}

bool StuckFindings::is_real(const Deferred& deferred) const {
    const auto& waiting = deferred.never_returned;
    const auto& admissions = deferred.admissions;
    return std::any_of(waiting.begin(),
                       waiting.end(),
                       [&](ThreadIndex thread) { return really_stuck_.count(thread) != 0; }) ||
           std::any_of(admissions.begin(), admissions.end(), [&](const Admission& admission) {
               return really_kept_out_.count(admission) != 0;
           });
}

void StuckFindings::add_rest() {
    for (Deferred& deferred : deferred_) {
        if (is_real(deferred) || report_.count_again(deferred.key, deferred.finding.processes))
            continue;
        report_.add(deferred.key, std::move(deferred.finding));
    }
    deferred_.clear();
}

}  // namespace mqinspect::analysis
