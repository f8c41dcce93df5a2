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
            told || holds_other(cursor, id, target),
            calls_.clock_of(cursor.process),
            window.rounds};
}

bool ConflictCheck::holds_other(const Cursor& cursor, std::int64_t id, std::int64_t target) {
    return std::ranges::any_of(cursor.windows, [&](const auto& window) {
        return std::ranges::any_of(window.second.locks, [&](const auto& lock) {
            return lock.second && (window.first != id || lock.first != target);
        });
    });
}

}  // namespace mqinspect::analysis
