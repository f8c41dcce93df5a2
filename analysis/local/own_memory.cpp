// What a process does in the memory of its own windows, by calls that are not one-sided or by
// itself.

#include <algorithm>
#include <map>

#include "analysis/local/call_tells.h"
#include "analysis/local/conflict_check.h"

namespace mqinspect::analysis {

using model::EventKind;
using model::Role;

void ConflictCheck::touch_own_memory(Cursor& cursor, const CallView& view) {
    if (!view.succeeded() || view.local.persistent) return;
    touched_.clear();
    collect_accesses(view,
                     cursor.shapes->of(view.number(Role::Communicator, model::kNullHandle)),
                     execution_,
                     footprints_,
                     touched_);
    for (auto& [id, window] : cursor.windows) {
        const model::RecordedWindow::Part* const part = window.own;
        if (part == nullptr || window.own_rank < 0 || part->bytes <= 0) continue;
        const auto base = static_cast<std::int64_t>(part->base);
        TargetAccess made;
        made.site = site_of(view.call);
        made.issued = made.completed = begin_of(view.call);
        made.began_ns = view.call.enter_ns;
        made.ended_ns = view.call.leave_ns;
        made.ordered = may_be_told(cursor, id, window) ||
                       tells(view, calls_.kind_of(view.call)) != Tells::Nothing;
        for (const Access& touched : touched_) {
            if (touched.hull.meets({base, base + part->bytes}))
                touch(cursor, made, id, window, touched, base);
        }
    }
}

void ConflictCheck::touch_attached(Cursor& cursor, const CallView& view) {
    const std::int64_t id = view.number(Role::Window, model::kNullHandle);
    const auto memory = attachments_.changed_by(view);
    WindowView* const window = memory ? window_of(cursor, id) : nullptr;
    if (window == nullptr || window->own_rank < 0 || memory->empty()) return;
    Access touched;
    touched.hull = *memory;
    touched.address = memory->low;
    touched.type = model::DatatypeId{-1};
    touched.writes = true;
    TargetAccess made;
    made.site = site_of(view.call);
    made.doing = TargetAccess::Doing::Attachment;
    made.issued = made.completed = begin_of(view.call);
    made.began_ns = view.call.enter_ns;
    made.ended_ns = view.call.leave_ns;
    made.ordered = may_be_told(cursor, id, *window);
    touch(cursor, made, id, *window, touched, 0);
}

void ConflictCheck::take_own_doings(Cursor& cursor, const model::RecordedCall& call) {
    while (!cursor.events.empty()) {
        const model::RecordedEvent& event = *cursor.events.front();
        if (event.kind == EventKind::LocalAccess) {
            if (call.thread != event.thread || event.event >= call.event) return;
            tellings_.does_something_else(cursor.process);
            for (auto& [id, window] : cursor.windows)
                touch_by_program(cursor, event, site_of(call), id, window);
        }
        cursor.events = cursor.events.subspan(1);
    }
}

std::map<std::int64_t, int> ConflictCheck::loads_by_place(
    std::span<const model::RecordedEvent* const> events) {
    struct Sweep {
        std::uint64_t event = 0;  ///< between which calls
        std::map<std::int64_t, int> by_address;
    };
    std::map<std::int64_t, int> loads;
    std::map<std::int64_t, Sweep> sweeps;
    for (const model::RecordedEvent* event : events) {
        const bool is_load = event->kind == EventKind::LocalAccess && event->stack &&
                             event->numbers.size() >= 3 && event->numbers[2] == 0;
        if (!is_load) continue;
        Sweep& sweep = sweeps[event->stack->value];
        int& most = loads[event->stack->value];
        if (sweep.event != event->event) most += sweep.by_address.empty() ? 0 : 1;
        sweep.event = event->event;
        most = std::max(most, ++sweep.by_address[event->numbers[0]]);
    }
    return loads;
}

void ConflictCheck::touch_by_program(Cursor& cursor,
                                     const model::RecordedEvent& event,
                                     const CallSite& next,
                                     std::int64_t id,
                                     WindowView& window) {
    if (window.own == nullptr || window.own_rank < 0 || event.numbers.size() < 3) return;
    const auto base = static_cast<std::int64_t>(window.own->base);
    // In such memory programs tell each other by loads and stores, which are not recorded.
    const bool may_be_ordered = facts_.may_tell_by_memory(id) && !window.posted;
    if (may_be_ordered && !in_fence_epoch(window)) return;
    Access touched;
    touched.hull = {event.numbers[0], event.numbers[0]};
    if (__builtin_add_overflow(touched.hull.low, event.numbers[1], &touched.hull.high)) return;
    if (!touched.hull.meets({base, base + window.own->bytes})) return;
    touched.address = touched.hull.low;
    touched.type = model::DatatypeId{-1};
    touched.writes = event.numbers[2] != 0;
    TargetAccess made;
    made.site = next;
    made.doing = TargetAccess::Doing::StoredBefore;
    if (event.stack) {
        made.site = {};
        made.site.stack = *event.stack;
        made.site.event = event.event;
        made.site.thread = event.thread;
        made.doing = touched.writes ? TargetAccess::Doing::Store : TargetAccess::Doing::Load;
    }
    // Before the next call, and all that others may learn by that.
    made.began_ns = made.ended_ns = event.time_ns;
    made.issued = made.completed = static_cast<std::uint64_t>(event.time_ns);
    if (calls_.has_clocks()) {
        made.issued = event.event;
        made.completed = std::max<std::uint64_t>(event.event, 1) - 1;
    }
    made.lone_load = made.doing == TargetAccess::Doing::Load && !window.lock_all &&
                     !window.synced && cursor.loads[made.site.stack.value] == 1;
    // Loads behind MPI_Win_sync may be those by which the program waits.
    made.ordered = (cursor.synced && touched.writes) || may_be_told(cursor, id, window);
    touch(cursor, made, id, window, touched, base);
}

bool ConflictCheck::may_be_told(const Cursor& cursor, std::int64_t id, const WindowView& window) {
    if (window.posted || in_fence_epoch(window)) return window.informed || window.fetched;
    const bool polls = !calls_.has_clocks() && window.synced;
    return polls || may_know_of_others(cursor, id, window);
}

bool ConflictCheck::in_fence_epoch(const WindowView& window) {
    return window.fences > 0 && !window.lock_all && window.locks.empty();
}

void ConflictCheck::touch(const Cursor& cursor,
                          const TargetAccess& by,
                          std::int64_t id,
                          WindowView& window,
                          const Access& touched,
                          std::int64_t base) {
    Aimed aimed;
    aimed.target = window.own_rank;
    aimed.access = by;
    TargetAccess& made = aimed.access;
    made.memory = touched;
    made.memory.address -= base;
    made.memory.hull = {touched.hull.low - base, touched.hull.high - base};
    made.effect = touched.writes ? TargetAccess::Effect::Write : TargetAccess::Effect::Read;
    made.origin = cursor.process;
    made.local = true;
    const auto lock = window.locks.find(window.own_rank);
    made.locked = window.lock_all || lock != window.locks.end();
    made.exclusive = lock != window.locks.end() && lock->second;
    made.round = window.rounds;
    made.known = calls_.clock_of(cursor.process);
    const bool stores = touched.writes && made.doing != TargetAccess::Doing::Attachment;
    if (stores && !window.stored) window.stored = made;
    if (window.posted) {
        add({id, exposed_kind(cursor.process), *window.posted}, aimed);
    } else if (in_fence_epoch(window)) {
        add({id, TargetAccesses::Fence, window.fences}, aimed);
    } else {
        add({id, TargetAccesses::Passive, window.rounds}, aimed);
    }
}

}  // namespace mqinspect::analysis
