// Locks in the play of a run's one-sided communication.

#include <algorithm>

#include "analysis/local/conflict_check.h"

namespace mqinspect::analysis {

using model::Role;

void ConflictCheck::lock(Cursor& cursor,
                         const CallView& view,
                         std::int64_t id,
                         WindowView& window) {
    const bool everybody = view.local.window == WindowAction::LockAll;
    const std::int64_t target = view.number(Role::TargetRank, model::kProcNull);
    NoCheckPromises::Epoch epoch = new_epoch(cursor, view, id, window, target);
    epoch.exclusive = !everybody && facts_.is_exclusive(view.number(Role::LockType));
    const std::int64_t whose = everybody ? kAllTargets : target;
    if (!epoch.promised && (everybody || target >= 0)) {
        lock_orders_.lock(cursor.process,
                          {id, whose, epoch.exclusive, epoch.site, epoch.known, epoch.told});
    }
    if (everybody) {
        window.lock_all = true;
        return nocheck_promises_.lock(epoch, whose);
    }
    check_exposed(cursor, view, id, target);
    window.locks[target] = epoch.exclusive;
    if (target >= 0) nocheck_promises_.lock(epoch, target);
    // To load what others have left there.
    if (!epoch.exclusive || target != window.own_rank) return;
    window.fetched = true;
    if (!can_follow(id)) return calls_.may_know_all(cursor.process, view.call.event);
    window.own_lock =
        tellings_.locked({cursor.process, view.call.event, view.call.enter_ns, INT64_MAX, nullptr},
                         {id, cursor.process, {INT64_MIN, INT64_MAX}});
}

/// MPI 4.0, 12.5.3: a window must not be locked and exposed at the same time. The process knows
/// that the target exposes it, and that cannot have ended.
void ConflictCheck::check_exposed(const Cursor& cursor,
                                  const CallView& view,
                                  std::int64_t id,
                                  std::int64_t target) {
    const std::vector<model::ProcessId>& all = *facts_.members(id);
    const bool known_target = target >= 0 && static_cast<std::size_t>(target) < all.size();
    if (!known_target || !calls_.has_clocks() || calls_.lost()) return;
    const model::ProcessId whose = all[static_cast<std::size_t>(target)];
    if (whose == cursor.process) return;
    const Cursor& there = cursors_[whose.index()];
    const auto window = there.windows.find(id);
    if (window == there.windows.end() || !window->second.posted) return;
    const auto known = calls_.clock_of(cursor.process);
    if (known == nullptr || (*known)[whose.index()] <= window->second.at_post.event) return;
    if (!exposures_.may_be_exposed_to(id, whose, cursor.process)) return;
    Finding* const finding = reporter_.report(
        FindingClass::EpochError,
        Severity::Error,
        cursor.process,
        {{site_of(view.call)}, {window->second.posted_by, "exposes it", true, whose}});
    if (finding == nullptr) return;
    finding->message = "MPI_Win_lock locks the part of process " + rank_number(execution_, whose) +
                       " in the window while that process exposes it with MPI_Win_post: a window "
                       "must not be locked and exposed at the same time.";
}

// What a call has told is known when the next one is read.
void ConflictCheck::tell_locks(Cursor& cursor) {
    if (!cursor.told_by) return;
    if (lock_orders_.holds(cursor.process) && calls_.has_clocks() && !calls_.lost())
        lock_orders_.told(cursor.process, *cursor.told_by, calls_.clock_of(cursor.process));
    cursor.told_by.reset();
}

NoCheckPromises::Epoch ConflictCheck::new_epoch(const Cursor& cursor,
                                                const CallView& view,
                                                std::int64_t id,
                                                const WindowView& window,
                                                std::int64_t target) {
    const bool told = window.fetched || may_know_of_others(cursor, id, window);
    return {id,
            cursor.process,
            site_of(view.call),
            nocheck_promises_.is_made(view.number(Role::Assertion)),
            false,
            told,
            told || other_locks(cursor, id, target) != 0,
            calls_.clock_of(cursor.process),
            window.rounds};
}

std::uint64_t ConflictCheck::other_locks(const Cursor& cursor,
                                         std::int64_t id,
                                         std::int64_t target) {
    constexpr std::int64_t bits = 64;
    constexpr std::int64_t prime = 31;
    std::uint64_t locks = 0;
    for (const auto& [other, window] : cursor.windows) {
        for (const auto& [whose, exclusive] : window.locks) {
            if (exclusive && whose >= 0 && (other != id || whose != target))
                locks |= std::uint64_t{1} << static_cast<unsigned>((other * prime + whose) % bits);
        }
    }
    return locks;
}

}  // namespace mqinspect::analysis
