#include "analysis/local/rma_conflicts.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "analysis/local/call_tells.h"
#include "analysis/local/conflict_check.h"
#include "analysis/local/conflict_report.h"

namespace mqinspect::analysis {

using model::CallClass;
using model::ProcessId;
using model::Role;

namespace {

/// Calls by which a program asks for what is in a window, over and over.
bool may_be_asked_again(WindowAction action) {
    using enum WindowAction;
    return action == Access || action == Lock || action == Unlock ||
           (action >= Flush && action <= FlushLocalAll);
}

}  // namespace

void ConflictCheck::run() {
    for (const model::RecordedProcess& process : execution_.processes) {
        cursors_.push_back({process.id,
                            std::make_unique<CommunicatorShapes>(execution_, process.id),
                            {},
                            events_[process.id.index()],
                            loads_by_place(events_[process.id.index()]),
                            false,
                            {},
                            {}});
    }
    calls_.read_all([this](const model::RecordedCall& call) { return read(call); });
    for (Cursor& cursor : cursors_) {
        for (auto& [id, window] : cursor.windows) {
            close_epoch(cursor, id, window, TargetAccess::kNever);
            complete(cursor, id, window, {}, [](const Aimed&) { return true; });
        }
    }
    lock_orders_.report();
    tellings_.report();
}

bool ConflictCheck::read(const model::RecordedCall& call) {
    if (call.procedure.value < 0 || call.procedure.index() >= procedures_.size()) return false;
    Cursor& cursor = cursors_[call.process.index()];
    const CallView view{call, procedures_[call.procedure.index()]};
    tell_locks(cursor);
    take_own_doings(cursor, call);
    if (cursor.synced) calls_.may_know_all(cursor.process, call.event);
    cursor.synced = false;
    if (!may_be_asked_again(view.local.window)) tellings_.does_something_else(cursor.process);
    if (view.local.window != WindowAction::None) {
        on_window_call(cursor, view);
    } else if (view.local.requests != RequestAction::None) {
        complete_requests(cursor, view);
    } else if (view.local.makes_handle) {
        on_new_window(cursor, view);
    } else if (view.local.definition == DefinitionRule::DynamicWindow) {
        touch_attached(cursor, view);
    }
    if (view.local.buffers != BufferRule::None && !cursor.windows.empty())
        touch_own_memory(cursor, view);
    const bool collective = view.local.procedure->function.call_class == CallClass::AllToAll;
    // Where some send nothing to others these need not wait; without clocks nobody can tell.
    const bool sparse = view.name().find("lltoallv") != std::string::npos ||
                        view.name().find("lltoallw") != std::string::npos;
    update_order(cursor, view, collective && !(sparse && calls_.has_clocks()));
    return collective;
}

/// Where several threads may call MPI their events are not in one order, but their times are.
std::uint64_t ConflictCheck::begin_of(const model::RecordedCall& call) const {
    return calls_.has_clocks() ? call.event : static_cast<std::uint64_t>(call.enter_ns);
}

ConflictCheck::End ConflictCheck::end_of(const model::RecordedCall& call) const {
    const std::uint64_t event =
        calls_.has_clocks() ? *call.leave_event : static_cast<std::uint64_t>(call.leave_ns);
    return {event, call.leave_ns};
}

void ConflictCheck::on_new_window(Cursor& cursor, const CallView& view) {
    if (!view.succeeded() || !view.name().starts_with("MPI_Win_")) return;
    for (const LocalProcedure::Handle& handle : view.local.handles) {
        const auto at = static_cast<std::size_t>(handle.at);
        if (handle.kind != HandleKind::Window || handle.in || at >= view.call.after.size())
            continue;
        WindowView* const made = window_of(cursor, view.call.after[at].number);
        if (made != nullptr) made->round_began = view.call.event;
    }
}

WindowView* ConflictCheck::window_of(Cursor& cursor, std::int64_t id) {
    const std::vector<ProcessId>* const all = facts_.members(id);
    if (all == nullptr) return nullptr;
    const auto [entry, added] = cursor.windows.try_emplace(id);
    if (added) {
        const auto own = std::find(all->begin(), all->end(), cursor.process);
        if (const std::int64_t first = facts_.first_sharing(id); first >= 0)
            cursor.shared_rounds.try_emplace(first, 0);
        entry->second.own_rank = own == all->end() ? -1 : own - all->begin();
        const model::RecordedWindow& window = facts_.definition(id);
        entry->second.own = window.is_dynamic() ? nullptr : window.part_of(cursor.process);
    }
    return &entry->second;
}

void ConflictCheck::update_order(Cursor& cursor, const CallView& view, bool collective) {
    const Tells told = tells(view, calls_.kind_of(view.call));
    if (told == Tells::Anything) calls_.may_know_all(cursor.process, view.call.event);
    if (cursor.windows.empty() || told == Tells::Nothing) return;
    if (told == Tells::WhatIsRecorded && view.call.leave_event) cursor.told_by = site_of(view.call);
    const std::int64_t communicator = view.number(Role::Communicator, model::kNullHandle);
    const std::int64_t fenced =
        view.local.window == WindowAction::Fence ? view.number(Role::Window) : -1;
    for (const auto& [first, rounds] : cursor.shared_rounds) {
        if ((fenced >= 0 && facts_.first_sharing(fenced) == first) ||
            (collective && facts_.covers(communicator, first)))
            begin_shared_round(cursor, first);
    }
    for (auto& [id, window] : cursor.windows) {
        if (window.freed) continue;
        if (fenced == id || (collective && facts_.covers(communicator, id))) {
            begin_round(id, window, view.call.event);
        } else {
            window.informed = true;
        }
    }
}

void ConflictCheck::begin_round(std::int64_t id, WindowView& window, std::uint64_t event) {
    const Key key{id, TargetAccesses::Passive, window.rounds++};
    for (Aimed& aimed : window.unflushed) {
        add(key, aimed);
        aimed.access.ordered = false;
        aimed.access.carried = true;
    }
    accesses_.leave(key, facts_.members(id)->size());
    window.informed = window.synced = window.fetched = false;
    window.round_before = window.round_began;
    window.round_began = event;
}

ConflictCheck::Unrecorded ConflictCheck::told_of_others(const Cursor& cursor,
                                                        std::int64_t id,
                                                        const WindowView& window,
                                                        std::uint64_t but_for) {
    if (!calls_.has_clocks()) return {window.informed, ProcessId{-1}};
    if (calls_.lost()) return {true, ProcessId{-1}};
    const Clock& sources = calls_.unknown_sources(cursor.process);
    Unrecorded told;
    for (const Cursor& other : cursors_) {
        const std::uint64_t event = sources[other.process.index()];
        if (event == 0 || (other.process == cursor.process && event == but_for)) continue;
        const auto there = other.windows.find(id);
        if (there != other.windows.end()) {
            const WindowView& of = there->second;
            if (event <= (of.rounds > window.rounds ? of.round_before : of.round_began)) continue;
        }
        told = {true, told.any ? ProcessId{-1} : other.process};
        if (told.only_by.value < 0) return told;
    }
    return told;
}

template <class Which>
void ConflictCheck::complete(
    Cursor& cursor, std::int64_t id, WindowView& window, const End& end, Which which) {
    bool tells = false;
    std::erase_if(window.unflushed, [&](Aimed& aimed) {
        if (!which(aimed)) return false;
        aimed.access.completed = end.event;
        aimed.access.ended_ns = end.ns;
        add({id, TargetAccesses::Passive, window.rounds}, aimed);
        add_shared(cursor, id, aimed);
        tells = tells || aimed.tells;
        if (aimed.tells) note_fetch(cursor, id, aimed);
        return true;
    });
    if (!tells) return;
    window.fetched = true;
    if (can_follow(id)) return;
    window.informed = true;
    calls_.may_know_all(cursor.process, end.event);
}

bool ConflictCheck::can_follow(std::int64_t id) const {
    return tellings_.are_followed() && calls_.has_clocks() && facts_.first_sharing(id) < 0;
}

void ConflictCheck::note_store(const Cursor& cursor, std::int64_t id, const Aimed& aimed) {
    const TargetAccess& made = aimed.access;
    if (made.effect == TargetAccess::Effect::Read || !can_follow(id)) return;
    const ProcessId owner = (*facts_.members(id))[static_cast<std::size_t>(aimed.target)];
    const bool swaps =
        made.effect == TargetAccess::Effect::Accumulate && made.op == TargetAccess::kAnyOperator;
    tellings_.stored({cursor.process,
                      made.issued,
                      made.began_ns,
                      made.began_ns,
                      calls_.clock_of(cursor.process)},
                     {id, owner, made.memory.hull},
                     !swaps);
}

void ConflictCheck::note_fetch(const Cursor& cursor, std::int64_t id, const Aimed& aimed) {
    if (!can_follow(id)) return;
    const TargetAccess& made = aimed.access;
    const ProcessId owner = (*facts_.members(id))[static_cast<std::size_t>(aimed.target)];
    tellings_.fetched({cursor.process, made.completed, made.ended_ns, made.ended_ns, nullptr},
                      {id, owner, made.memory.hull});
}

void ConflictCheck::complete_requests(Cursor& cursor, const CallView& view) {
    if (!view.call.leave_event) return;
    for (auto& [id, window] : cursor.windows) {
        complete(cursor, id, window, end_of(view.call), [](const Aimed& aimed) {
            return aimed.fetches && aimed.request;
        });
    }
}

void ConflictCheck::on_window_call(Cursor& cursor, const CallView& view) {
    const std::int64_t id = view.number(Role::Window, model::kNullHandle);
    if (!view.call.leave_event || view.call.error_code != 0) return;
    WindowView* const found = window_of(cursor, id);
    if (found == nullptr) return;
    WindowView& window = *found;
    const std::int64_t target = view.number(Role::TargetRank, model::kProcNull);
    const auto at_target = [target](const Aimed& aimed) { return aimed.target == target; };
    const auto all = [](const Aimed&) { return true; };
    const End end = end_of(view.call);
    switch (view.local.window) {
        case WindowAction::Fence:
            promises_.fence(view, window, id);
            close_epoch(cursor, id, window, end.event);
            window.stored.reset();
            return accesses_.leave({id, TargetAccesses::Fence, window.fences++},
                                   facts_.members(id)->size());
        case WindowAction::Start:
            return start(cursor, view, id, window);
        case WindowAction::Complete:
            close_epoch(cursor, id, window, end.event);
            for (const ProcessId exposed : window.started) {
                exposures_.add(id, exposed, cursor.process, std::nullopt);
                resolve(id, exposed, cursor.process);
            }
            return window.started.clear();
        case WindowAction::Post:
            return post(cursor, view, id, window);
        case WindowAction::Wait:
            return end_exposure(cursor, id, window);
        case WindowAction::Test:
            if (view.result(Role::Flag) != 0) end_exposure(cursor, id, window);
            return;
        case WindowAction::Lock:
        case WindowAction::LockAll:
            return lock(cursor, view, id, window);
        case WindowAction::Unlock:
        case WindowAction::UnlockAll:
            return unlock(cursor, view, id, window);
        case WindowAction::Flush:
            return complete(cursor, id, window, end, at_target);
        case WindowAction::FlushAll:
            return complete(cursor, id, window, end, all);
        case WindowAction::FlushLocal:
            return complete(cursor, id, window, end, [&](const Aimed& aimed) {
                return aimed.fetches && at_target(aimed);
            });
        case WindowAction::FlushLocalAll:
            return complete(
                cursor, id, window, end, [](const Aimed& aimed) { return aimed.fetches; });
        case WindowAction::Sync:
            window.synced = cursor.synced = true;
            return;
        case WindowAction::Access:
            return access(cursor, view, id, window);
        case WindowAction::Free:
            complete(cursor, id, window, end, all);
            return free(id, window);
        case WindowAction::None:
            return;
    }
}

void ConflictCheck::start(const Cursor& cursor,
                          const CallView& view,
                          std::int64_t id,
                          WindowView& window) {
    const auto epoch = new_epoch(cursor, view, id, window, model::kProcNull);
    window.started = facts_.named_by(view, id);
    window.at_start = {epoch.ordered, view.call.event, epoch.known};
    nocheck_promises_.start(epoch, window.started);
}

void ConflictCheck::unlock(Cursor& cursor,
                           const CallView& view,
                           std::int64_t id,
                           WindowView& window) {
    const bool everybody = view.local.window == WindowAction::UnlockAll;
    const std::int64_t target = view.number(Role::TargetRank, kAllTargets);
    if (everybody) {
        window.lock_all = false;
    } else {
        window.locks.erase(target);
    }
    if (target == window.own_rank && window.own_lock != SIZE_MAX) {
        tellings_.unlocked(window.own_lock, view.call.leave_ns);
        window.own_lock = SIZE_MAX;
    }
    lock_orders_.unlock(cursor.process, id, target, *view.call.leave_event);
    nocheck_promises_.unlock(id, target, cursor.process, *view.call.leave_event, window.rounds);
    window.stored.reset();
    complete(cursor, id, window, end_of(view.call), [&](const Aimed& aimed) {
        return everybody || aimed.target == target;
    });
}

void ConflictCheck::free(std::int64_t id, WindowView& window) {
    window.own = nullptr;
    window.freed = true;
    if (++freed_[id] < facts_.members(id)->size()) return;
    freed_.erase(id);
    promises_.forget(id);
    nocheck_promises_.forget(id);
    for (Cursor& each : cursors_)
        each.windows.erase(id);
}

TargetAccesses::Kind ConflictCheck::exposed_kind(ProcessId target) {
    return static_cast<TargetAccesses::Kind>(TargetAccesses::Exposed + target.value);
}

void ConflictCheck::post(Cursor& cursor,
                         const CallView& view,
                         std::int64_t id,
                         WindowView& window) {
    const std::vector<ProcessId> origins = facts_.named_by(view, id);
    window.posted = window.posts++;
    window.posted_by = site_of(view.call);
    const Key key{id, exposed_kind(cursor.process), *window.posted};
    accesses_.begin_parts(key, origins.size() + 1);
    promises_.post(view, window, id);
    const auto epoch = new_epoch(cursor, view, id, window, model::kProcNull);
    window.at_post = {epoch.ordered, view.call.event, epoch.known};
    nocheck_promises_.post(epoch, origins);
    window.stored.reset();
    for (const ProcessId origin : origins) {
        exposures_.post(id, cursor.process, origin, *window.posted);
        resolve(id, cursor.process, origin);
    }
}

void ConflictCheck::end_exposure(const Cursor& cursor, std::int64_t id, WindowView& window) {
    if (window.posted) accesses_.end_part({id, exposed_kind(cursor.process), *window.posted});
    window.posted.reset();
    window.stored.reset();
}

void ConflictCheck::resolve(std::int64_t id, ProcessId target, ProcessId origin) {
    const std::vector<ProcessId>& all = *facts_.members(id);
    const std::int64_t rank = std::find(all.begin(), all.end(), target) - all.begin();
    exposures_.resolve(id, target, origin, [&](std::int64_t epoch, const auto& access) {
        const Key key{id, exposed_kind(target), epoch};
        if (access) {
            promises_.access_after_post(id, epoch, target, *access);
            add(key, {rank, *access, false});
        } else {
            accesses_.end_part(key);
        }
    });
}

void ConflictCheck::access(Cursor& cursor,
                           const CallView& view,
                           std::int64_t id,
                           WindowView& window) {
    const std::int64_t target = view.number(Role::TargetRank, model::kProcNull);
    const std::vector<ProcessId>& all = *facts_.members(id);
    if (target < 0 || static_cast<std::size_t>(target) >= all.size()) return;
    const BufferRule rule = view.local.buffers;
    Aimed aimed;
    aimed.target = target;
    aimed.fetches = rule != BufferRule::Put && rule != BufferRule::Accumulate;
    aimed.request = view.local.makes_request;
    TargetAccess& made = aimed.access;
    const ProcessId process = all[static_cast<std::size_t>(target)];
    const model::RecordedWindow::Part* const part = facts_.definition(id).part_of(process);
    if (part == nullptr || !describe_target(view, *part, execution_, footprints_, made)) return;
    const auto lock = window.locks.find(target);
    made.exclusive = lock != window.locks.end() && lock->second;
    // What others do to the same place is told by operations that are atomic only.
    aimed.tells = aimed.fetches && (rule != BufferRule::Get || made.exclusive);
    made.origin = cursor.process;
    made.site = site_of(view.call);
    made.round = window.rounds;
    made.issued = begin_of(view.call);
    made.began_ns = view.call.enter_ns;
    made.ended_ns = INT64_MAX;
    if (!aimed.tells) tellings_.does_something_else(cursor.process);
    note_store(cursor, id, aimed);
    if (facts_.definition(id).is_dynamic()) {
        TargetAccess asked = made;
        asked.issued = view.call.event;
        asked.known = calls_.clock_of(cursor.process);
        attachments_.check(id, process, asked);
    }
    if (window.lock_all || lock != window.locks.end()) {
        const Unrecorded told = told_of_others(cursor, id, window);
        made.ordered = told.any;
        made.only_by = told.only_by;
        made.guards = other_locks(cursor, id, target);
        made.known = calls_.clock_of(cursor.process);
        const bool kept = window.unflushed.size() < kMaxUnflushed;
        if (kept) return window.unflushed.push_back(std::move(aimed));
        made.completed = made.issued;
        add({id, TargetAccesses::Passive, window.rounds}, aimed);
    } else if (!window.started.empty()) {
        keep_unclosed(cursor, id, window, aimed);
        exposures_.add(id, process, cursor.process, made);
        resolve(id, process, cursor.process);
    } else if (window.fences > 0) {
        keep_unclosed(cursor, id, window, aimed);
        made.ordered = window.informed;
        promises_.access_after_fence(id, window.fences, process, made);
        add({id, TargetAccesses::Fence, window.fences}, aimed);
    }
}

void ConflictCheck::add(const Key& key, const Aimed& aimed) {
    const std::int64_t id = std::get<0>(key);
    const bool passive =
        std::get<1>(key) == TargetAccesses::Passive || std::get<1>(key) == TargetAccesses::Shared;
    const ProcessId target = (*facts_.members(id))[static_cast<std::size_t>(aimed.target)];
    const bool followed = std::get<1>(key) == TargetAccesses::Passive && can_follow(id);
    const auto report = [&](const TargetAccess& other) {
        // Two of one process are ordered by what completes them.
        if (followed && other.origin != aimed.access.origin)
            return tellings_.conflict(aimed.access, other, target);
        report_conflict(execution_, aimed.access, other, target, reporter_);
    };
    if (accesses_.of(key).add(aimed.access, aimed.target, passive, footprints_, report)) return;
    reporter_.unchecked("conflicts between more than " +
                        std::to_string(TargetAccesses::kMaxAccesses) +
                        " one-sided operations of one epoch");
}

void check_rma_conflicts(const model::Recording& recording,
                         const std::vector<LocalProcedure>& procedures,
                         const EventsByProcess& events,
                         Footprints& footprints,
                         Attachments& attachments,
                         Reporter& reporter) {
    if (recording.execution().windows.empty()) return;
    ConflictCheck(recording, procedures, events, footprints, attachments, reporter).run();
}

}  // namespace mqinspect::analysis
