#include <algorithm>
#include <iterator>

#include "analysis/replay/player.h"

namespace mqinspect::analysis {

using model::ProcessId;
using model::RecordedCall;
using model::Role;

namespace {

/// MPI_Win_lock_all of more members is taken for one that nobody waits for.
constexpr std::size_t kMostLocked = 256;

std::vector<ProcessId> group_of(const model::Procedure& procedure,
                                const RecordedCall& call,
                                std::size_t processes) {
    std::vector<ProcessId> group;
    const model::Value* value = model::value_of(procedure, call.before, Role::Group);
    if (value == nullptr) return group;
    for (const std::int64_t rank : value->list) {
        if (rank >= 0 && static_cast<std::size_t>(rank) < processes)
            group.emplace_back(static_cast<int>(rank));
    }
    return group;
}

}  // namespace

void Player::block_at_window(ThreadIndex index, const RecordedCall& call, const CallKind& kind) {
    const model::Procedure& procedure = execution_.procedures[call.procedure.index()];
    const model::Value* value = model::value_of(procedure, call.before, Role::Window);
    const std::int64_t window = value == nullptr ? -1 : value->number;
    if (window < 0 || static_cast<std::size_t>(window) >= execution_.windows.size()) return;
    if (call.error_code != 0) return;  // refused: it waits for nobody
    const auto group = [&] { return group_of(procedure, call, processes_.size()); };
    WindowWait wait;
    switch (kind.action) {
        case Action::WindowPost:
            windows_.post(window, event_site_of(call), group());
            break;
        case Action::WindowStart:
            wait = windows_.start(window, event_site_of(call), group());
            break;
        case Action::WindowComplete:
            wait = windows_.complete(window, call.process);
            break;
        case Action::WindowWait:
            if (kind.probes_only && (value_of(procedure, call.after, Role::Flag) == nullptr ||
                                     value_of(procedure, call.after, Role::Flag)->number == 0)) {
                return;
            }
            wait = windows_.wait(window, call.process);
            break;
        default:
            wait = lock_or_unlock(call, kind, window);
            break;
    }
    if (!at_windows_.empty()) wake_windows();
    const bool never_got = kind.action == Action::WindowLock && !call.leave_event;
    if (wait.window < 0 || (!never_got && windows_.missing(call.process, wait).empty())) return;
    PlayedThread& thread = threads_[index];
    thread.head = event_site_of(call);
    thread.action = kind.action;
    stand_at_window(index, std::move(wait));
    thread.waits.polling = kind.probes_only;
}

void Player::stand_at_window(ThreadIndex index, WindowWait wait) {
    PlayedThread& thread = threads_[index];
    thread.blocked = true;
    thread.waits.clear();
    thread.window = std::move(wait);
    thread.pending = 1;
    at_windows_.push_back(index);
}

void Player::block_at_test(ThreadIndex index) {
    PlayedThread& thread = threads_[index];
    const std::int64_t window = thread.polls.window();
    if (window < 0 || static_cast<std::size_t>(window) >= execution_.windows.size()) return;
    WindowWait wait = windows_.wait(window, thread.process);
    if (windows_.missing(thread.process, wait).empty()) return;
    thread.head = thread.polls.last();
    thread.head.returned = false;
    thread.action = Action::WindowWait;
    stand_at_window(index, std::move(wait));
}

// The targets of a lock: the one that the call names, or all members of the window.
std::vector<ProcessId> Player::lock_targets(const RecordedCall& call, std::int64_t window) const {
    const model::Procedure& procedure = execution_.procedures[call.procedure.index()];
    const auto& communicator = execution_.windows[static_cast<std::size_t>(window)].communicator;
    if (communicator.value < 0 || communicator.index() >= execution_.communicators.size())
        return {};
    const std::vector<ProcessId>& members = execution_.communicators[communicator.index()].members;
    const model::Value* rank = model::value_of(procedure, call.before, Role::TargetRank);
    std::vector<ProcessId> targets;
    if (rank == nullptr && members.size() <= kMostLocked) {
        std::copy_if(
            members.begin(), members.end(), std::back_inserter(targets), [](ProcessId process) {
                return process.value >= 0;
            });
    } else if (rank != nullptr && rank->number >= 0 &&
               static_cast<std::size_t>(rank->number) < members.size()) {
        const ProcessId target = members[static_cast<std::size_t>(rank->number)];
        if (target.value >= 0) targets.push_back(target);
    }
    return targets;
}

WindowWait Player::lock_or_unlock(const RecordedCall& call,
                                  const CallKind& kind,
                                  std::int64_t window) {
    if (!locks_known_) return {};
    const std::vector<ProcessId> targets = lock_targets(call, window);
    if (targets.empty()) return {};
    if (kind.action == Action::WindowLock) {
        const model::Value* type = model::value_of(
            execution_.procedures[call.procedure.index()], call.before, Role::LockType);
        const bool exclusive = type != nullptr && type->number != shared_lock_;
        // In the run somebody else had it, who may come later in the play.
        if (!call.leave_event) return {WindowWait::Kind::Lock, window, targets, exclusive};
        return windows_.lock(window, call.process, targets, exclusive);
    }
    const ProcessId one = targets.size() == 1 ? targets[0] : ProcessId{-1};
    WindowWait wait = windows_.await_lock(window, call.process, one);
    const bool waits = wait.window >= 0 && !windows_.missing(call.process, wait).empty();
    if (!waits) {
        windows_.take(call.process, wait);
        if (kind.action == Action::WindowUnlock) unlock(call.process, window, targets);
        return {};
    }
    return wait;
}

void Player::unlock(ProcessId process, std::int64_t window, const std::vector<ProcessId>& targets) {
    for (const ProcessId target : targets)
        windows_.unlock(window, process, target);
}

std::optional<Windows::Mismatch> Player::wrong_groups(const PlayedThread& thread) const {
    if (thread.window.window < 0 || thread.window.kind == WindowWait::Kind::Lock)
        return std::nullopt;
    if (auto found = windows_.mismatch(thread.window.window, thread.process)) return found;
    for (const ProcessId other : window_targets(thread)) {
        if (!begins_no_epoch(other)) continue;
        if (auto found = windows_.missed(thread.process, thread.window, other)) return found;
    }
    return std::nullopt;
}

// It has ended, or stands where it gives a window back.
bool Player::begins_no_epoch(ProcessId process) const {
    if (ended(process) || finalizing(process)) return true;
    return std::ranges::all_of(threads_of(process), [this](ThreadIndex index) {
        const PlayedThread& thread = threads_[index];
        return thread.blocked && thread.head.procedure.value >= 0 &&
               kinds_[thread.head.procedure.index()].name == "Win_free";
    });
}

// The thread goes on at a window: what it has waited for is its own now.
void Player::leave_window(ThreadIndex index, bool passed) {
    const PlayedThread& thread = threads_[index];
    if (passed && thread.action == Action::WindowLock) {
        return windows_.postpone(thread.process, thread.window);
    }
    windows_.take(thread.process, thread.window);
    if (thread.action == Action::WindowUnlock) {
        unlock(thread.process, thread.window.window, thread.window.group);
    }
}

void Player::wake_windows() {
    for (std::size_t at = 0; at < at_windows_.size();) {
        const ThreadIndex waiter = at_windows_[at];
        const PlayedThread& thread = threads_[waiter];
        const bool never_got = thread.action == Action::WindowLock && !thread.head.returned;
        if (never_got || !windows_.missing(thread.process, thread.window).empty()) {
            ++at;
            continue;
        }
        at_windows_[at] = at_windows_.back();
        at_windows_.pop_back();
        leave_window(waiter, false);
        // An unlock lets others have the lock, those before it in the list, too.
        if (thread.action == Action::WindowUnlock) at = 0;
        wake(waiter);
    }
}

}  // namespace mqinspect::analysis
