#include "analysis/local/rma_conflicts.h"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>

#include "analysis/local/conflict_report.h"
#include "analysis/local/epochs.h"
#include "analysis/local/exposures.h"
#include "analysis/local/window_view.h"

namespace mqinspect::analysis {

namespace {

using model::CallClass;
using model::EventKind;
using model::ProcessId;
using model::Role;

/// True: the call can hand its process nothing from another one.
bool tells_nothing(const CallView& view) {
    const CallClass call_class = view.local.procedure->function.call_class;
    if (view.local.requests != RequestAction::None) {
        return view.local.requests == RequestAction::Start ||
               view.local.requests == RequestAction::Startall;
    }
    // MPI_Iprobe and MPI_Improbe are local, and see messages.
    if (view.local.is(Role::Flag)) return false;
    return call_class == CallClass::Local || call_class == CallClass::WindowTarget ||
           call_class == CallClass::WindowTargets || view.local.window == WindowAction::Access ||
           view.local.buffers == BufferRule::Send;
}

class ConflictCheck {
public:
    ConflictCheck(const model::Recording& recording,
                  const std::vector<LocalProcedure>& procedures,
                  const EventsByProcess& events,
                  Footprints& footprints,
                  Reporter& reporter)
        : recording_(recording),
          execution_(recording.execution()),
          procedures_(procedures),
          events_(events),
          footprints_(footprints),
          reporter_(reporter) {}

    void run() {
        std::deque<Cursor> waiting;
        for (const model::RecordedProcess& process : execution_.processes) {
            waiting.push_back({process.id,
                               recording_.calls(process.id),
                               std::make_unique<CommunicatorShapes>(execution_, process.id),
                               {},
                               events_[process.id.index()],
                               0});
        }
        // Each runs up to its next collective operation, so that all go on together.
        while (!waiting.empty()) {
            Cursor cursor = std::move(waiting.front());
            waiting.pop_front();
            if (advance(cursor)) waiting.push_back(std::move(cursor));
        }
    }

private:
    bool advance(Cursor& cursor) {
        model::RecordedCall call;
        while (cursor.calls->next(call)) {
            if (call.procedure.value < 0 || call.procedure.index() >= procedures_.size()) continue;
            const CallView view{call, procedures_[call.procedure.index()]};
            take_own_doings(cursor, call);
            if (view.local.window != WindowAction::None) {
                on_window_call(cursor, view);
            } else if (view.local.requests != RequestAction::None) {
                ++cursor.completions;
            } else if (view.local.makes_handle) {
                on_new_window(cursor, view);
            }
            if (view.local.buffers != BufferRule::None && !cursor.windows.empty())
                touch_own_memory(cursor, view);
            const bool collective =
                view.local.procedure->function.call_class == CallClass::AllToAll;
            update_order(cursor, view, collective);
            if (collective) return true;
        }
        return false;
    }

    void on_new_window(Cursor& cursor, const CallView& view) {
        if (!view.succeeded() || !view.name().starts_with("MPI_Win_")) return;
        for (const LocalProcedure::Handle& handle : view.local.handles) {
            const auto at = static_cast<std::size_t>(handle.at);
            if (handle.kind != HandleKind::Window || handle.in || at >= view.call.after.size())
                continue;
            window_of(cursor, view.call.after[at].number);
        }
    }

    /// Null: no window, or none that is known.
    WindowView* window_of(Cursor& cursor, std::int64_t id) {
        const std::vector<ProcessId>* const all = members(id);
        if (all == nullptr) return nullptr;
        const auto [entry, added] = cursor.windows.try_emplace(id);
        if (added) {
            const auto own = std::find(all->begin(), all->end(), cursor.process);
            entry->second.own_rank = own == all->end() ? -1 : own - all->begin();
            const bool dynamic =
                execution_.windows[static_cast<std::size_t>(id)].kind == "MPI_Win_create_dynamic";
            entry->second.own = dynamic ? nullptr : part_of(id, cursor.process);
        }
        return &entry->second;
    }

    void update_order(Cursor& cursor, const CallView& view, bool collective) {
        if (cursor.windows.empty() || tells_nothing(view)) return;
        const std::int64_t communicator = view.number(Role::Communicator, model::kNullHandle);
        for (auto& [id, window] : cursor.windows) {
            const bool fence =
                view.local.window == WindowAction::Fence && view.number(Role::Window) == id;
            if (fence || (collective && covers(communicator, id))) {
                leave({id, TargetAccesses::Passive, window.rounds++}, members(id)->size());
                window.informed = window.synced = false;
                carry_over(id, window);
            } else {
                window.informed = true;
            }
        }
    }

    /// Operations that no flush has completed go on behind the barrier.
    void carry_over(std::int64_t id, const WindowView& window) {
        for (const Aimed& aimed : window.unflushed)
            add({id, TargetAccesses::Passive, window.rounds}, aimed);
    }

    const std::vector<ProcessId>* members(std::int64_t window) const {
        const auto at = static_cast<std::size_t>(window);
        if (window < 0 || at >= execution_.windows.size()) return nullptr;
        const model::CommunicatorId id = execution_.windows[at].communicator;
        if (id.value < 0 || id.index() >= execution_.communicators.size()) return nullptr;
        return &execution_.communicators[id.index()].members;
    }

    /// All members of the window are members of the communicator.
    bool covers(std::int64_t communicator, std::int64_t window) {
        const auto [entry, added] = covers_.try_emplace({communicator, window}, false);
        if (!added) return entry->second;
        const auto at = static_cast<std::size_t>(communicator);
        const std::vector<ProcessId>* const inner = members(window);
        if (communicator < 0 || at >= execution_.communicators.size() || inner == nullptr)
            return false;
        const auto& all = execution_.communicators[at].members;
        const std::set<ProcessId> outer(all.begin(), all.end());
        return entry->second = std::all_of(inner->begin(), inner->end(), [&](ProcessId one) {
                   return outer.count(one) != 0;
               });
    }

    using Key = std::tuple<std::int64_t, TargetAccesses::Kind, std::int64_t>;

    /// A process has passed an epoch or a round; after the last of them it is forgotten.
    void leave(const Key& key, std::size_t processes) {
        if (++left_[key] < processes) return;
        left_.erase(key);
        accesses_.erase(key);
    }

    void on_window_call(Cursor& cursor, const CallView& view) {
        const std::int64_t id = view.number(Role::Window, model::kNullHandle);
        if (!view.call.leave_event || view.call.error_code != 0) return;
        WindowView* const found = window_of(cursor, id);
        if (found == nullptr) return;
        WindowView& window = *found;
        const std::int64_t target = view.number(Role::TargetRank, model::kProcNull);
        switch (view.local.window) {
            case WindowAction::Fence:
                return leave({id, TargetAccesses::Fence, window.fences++}, members(id)->size());
            case WindowAction::Start:
                window.started = processes_of(view, id);
                return;
            case WindowAction::Complete:
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
                window.locks[target] = is_exclusive(view.number(Role::LockType));
                return;
            case WindowAction::LockAll:
                window.lock_all = true;
                return;
            case WindowAction::Unlock:
                window.locks.erase(target);
                return flushed(window, target);
            case WindowAction::UnlockAll:
                window.lock_all = false;
                return flushed(window, std::nullopt);
            case WindowAction::Flush:
                return flushed(window, target);
            case WindowAction::FlushAll:
                return flushed(window, std::nullopt);
            case WindowAction::FlushLocal:
                return flushed_locally(window, target);
            case WindowAction::FlushLocalAll:
                return flushed_locally(window, std::nullopt);
            case WindowAction::Sync:
                window.synced = true;
                return;
            case WindowAction::Access:
                return access(cursor, view, id, window);
            case WindowAction::Free:
                cursor.windows.erase(id);
                return;
            case WindowAction::None:
                return;
        }
    }

    /// The members of the call's group; those of other worlds are in the record without ranks.
    std::vector<ProcessId> processes_of(const CallView& view, std::int64_t id) const {
        std::vector<ProcessId> result;
        const model::Value* const group = view.in(Role::Group);
        if (group == nullptr) return result;
        for (const ProcessId member : *members(id)) {
            if (member.value < 0) continue;
            const std::int64_t rank = execution_.processes[member.index()].rank.value;
            if (std::find(group->list.begin(), group->list.end(), rank) != group->list.end())
                result.push_back(member);
        }
        return result;
    }

    static TargetAccesses::Kind exposed_kind(ProcessId target) {
        return static_cast<TargetAccesses::Kind>(TargetAccesses::Exposed + target.value);
    }

    void post(Cursor& cursor, const CallView& view, std::int64_t id, WindowView& window) {
        const std::vector<ProcessId> origins = processes_of(view, id);
        window.posted = window.posts++;
        const Key key{id, exposed_kind(cursor.process), *window.posted};
        parts_[key] = origins.size() + 1;
        for (const ProcessId origin : origins) {
            exposures_.post(id, cursor.process, origin, *window.posted);
            resolve(id, cursor.process, origin);
        }
    }

    void end_exposure(const Cursor& cursor, std::int64_t id, WindowView& window) {
        if (window.posted) end_part({id, exposed_kind(cursor.process), *window.posted});
        window.posted.reset();
    }

    void end_part(const Key& key) {
        const auto parts = parts_.find(key);
        if (parts == parts_.end()) return;
        if (--parts->second > 0) return;
        parts_.erase(parts);
        accesses_.erase(key);
    }

    /// Accesses between start and complete whose post is known by now.
    void resolve(std::int64_t id, ProcessId target, ProcessId origin) {
        const std::vector<ProcessId>& all = *members(id);
        const std::int64_t rank = std::find(all.begin(), all.end(), target) - all.begin();
        exposures_.resolve(id, target, origin, [&](std::int64_t epoch, const auto& access) {
            const Key key{id, exposed_kind(target), epoch};
            if (access) {
                add(key, {rank, *access, false});
            } else {
                end_part(key);
            }
        });
    }

    static void flushed(WindowView& window, std::optional<std::int64_t> target) {
        ++(target ? window.flushed[*target] : window.flushes);
        std::erase_if(window.unflushed,
                      [&](const Aimed& aimed) { return !target || aimed.target == *target; });
        // What has been fetched may tell of others.
        window.informed = window.informed || window.fetches;
    }

    static void flushed_locally(WindowView& window, std::optional<std::int64_t> target) {
        window.informed = window.informed || window.fetches;
        std::erase_if(window.unflushed, [&](const Aimed& aimed) {
            return aimed.fetches && (!target || aimed.target == *target);
        });
    }

    bool is_exclusive(std::int64_t lock_type) const {
        const auto found = execution_.constants.find("MPI_LOCK_EXCLUSIVE");
        if (found != execution_.constants.end()) return lock_type == found->second;
        // MPICH's and Open MPI's numbers of MPI_LOCK_SHARED; anything else orders.
        return lock_type != 235 && lock_type != 2;
    }

    void access(Cursor& cursor, const CallView& view, std::int64_t id, WindowView& window) {
        const std::int64_t target = view.number(Role::TargetRank, model::kProcNull);
        const std::vector<ProcessId>& all = *members(id);
        if (target < 0 || static_cast<std::size_t>(target) >= all.size()) return;
        const bool fetches =
            view.local.buffers != BufferRule::Put && view.local.buffers != BufferRule::Accumulate;
        window.fetches = window.fetches || fetches;
        Aimed aimed{target, {}, fetches};
        TargetAccess& made = aimed.access;
        const ProcessId process = all[static_cast<std::size_t>(target)];
        const model::RecordedWindow::Part* const part = part_of(id, process);
        if (part == nullptr || !describe_target(view, *part, execution_, footprints_, made)) return;
        made.origin = cursor.process;
        made.site = site_of(view.call);
        const auto lock = window.locks.find(target);
        made.ordered = window.informed;
        made.round = window.rounds;
        made.exclusive = lock != window.locks.end() && lock->second;
        made.flushes = window.flushes + window.flushed[target];
        made.completions = view.local.makes_request && fetches ? cursor.completions : -1;
        if (window.lock_all || lock != window.locks.end()) {
            add({id, TargetAccesses::Passive, window.rounds}, aimed);
            made.ordered = false;
            // A request that is waited for says the same of what it fetches.
            const bool kept = !(fetches && view.local.makes_request);
            if (kept && window.unflushed.size() < kMaxUnflushed) window.unflushed.push_back(aimed);
        } else if (!window.started.empty()) {
            made.ordered = false;
            exposures_.add(id, process, cursor.process, made);
            resolve(id, process, cursor.process);
        } else if (window.fences > 0) {
            add({id, TargetAccesses::Fence, window.fences}, aimed);
        }
    }

    /// Other calls, and the origins' side of one-sided ones, in the memory of the process's own
    /// windows.
    void touch_own_memory(Cursor& cursor, const CallView& view) {
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
            made.ordered = window.informed || !tells_nothing(view);
            for (const Access& touched : touched_) {
                if (touched.hull.meets({base, base + part->bytes}))
                    touch(cursor, made, id, window, touched, base);
            }
        }
    }

    /// What the program has done by itself before this call.
    void take_own_doings(Cursor& cursor, const model::RecordedCall& call) {
        while (!cursor.events.empty()) {
            const model::RecordedEvent& event = *cursor.events.front();
            if (event.kind == EventKind::LocalAccess) {
                if (call.thread != event.thread || event.event >= call.event) return;
                for (auto& [id, window] : cursor.windows)
                    touch_by_program(cursor, event, site_of(call), id, window);
            }
            cursor.events = cursor.events.subspan(1);
        }
    }

    void touch_by_program(Cursor& cursor,
                          const model::RecordedEvent& event,
                          const CallSite& next,
                          std::int64_t id,
                          WindowView& window) {
        if (window.own == nullptr || window.own_rank < 0 || event.numbers.size() < 3) return;
        const auto base = static_cast<std::int64_t>(window.own->base);
        Access touched;
        touched.hull = {event.numbers[0], event.numbers[0]};
        if (__builtin_add_overflow(touched.hull.low, event.numbers[1], &touched.hull.high)) return;
        if (!touched.hull.meets({base, base + window.own->bytes})) return;
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
        made.ordered = window.informed;
        const bool passive = !window.posted && !in_fence_epoch(window);
        if (passive && (!touched.writes || window.synced)) return;
        touch(cursor, made, id, window, touched, base);
    }

    static bool in_fence_epoch(const WindowView& window) {
        return window.fences > 0 && !window.lock_all && window.locks.empty();
    }

    void touch(const Cursor& cursor,
               const TargetAccess& by,
               std::int64_t id,
               WindowView& window,
               const Access& touched,
               std::int64_t base) {
        Aimed aimed{window.own_rank, by, false};
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
        made.flushes = window.flushes + window.flushed[window.own_rank];
        if (window.posted) {
            add({id, exposed_kind(cursor.process), *window.posted}, aimed);
        } else if (in_fence_epoch(window)) {
            add({id, TargetAccesses::Fence, window.fences}, aimed);
        } else {
            add({id, TargetAccesses::Passive, window.rounds}, aimed);
        }
    }

    void add(const Key& key, const Aimed& aimed) {
        const std::int64_t id = std::get<0>(key);
        const bool passive = std::get<1>(key) == TargetAccesses::Passive;
        const ProcessId target = (*members(id))[static_cast<std::size_t>(aimed.target)];
        const auto report = [&](const TargetAccess& other) {
            report_conflict(execution_, aimed.access, other, target, reporter_);
        };
        if (accesses_[key].add(aimed.access, aimed.target, passive, footprints_, report)) return;
        reporter_.unchecked("conflicts between more than " +
                            std::to_string(TargetAccesses::kMaxAccesses) +
                            " one-sided operations of one epoch");
    }

    /// Null: not known.
    const model::RecordedWindow::Part* part_of(std::int64_t id, ProcessId process) const {
        const model::RecordedWindow& window = execution_.windows[static_cast<std::size_t>(id)];
        const auto part =
            std::find_if(window.parts.begin(), window.parts.end(), [process](const auto& one) {
                return one.process == process;
            });
        return part == window.parts.end() ? nullptr : &*part;
    }

    const model::Recording& recording_;
    const model::Execution& execution_;
    const std::vector<LocalProcedure>& procedures_;
    const EventsByProcess& events_;
    Footprints& footprints_;
    Reporter& reporter_;
    std::map<Key, TargetAccesses> accesses_;
    std::map<Key, std::size_t> left_;   ///< processes that have passed it
    std::map<Key, std::size_t> parts_;  ///< of epochs of MPI_Win_post: ends that are to come
    Exposures exposures_;
    std::vector<Access> touched_;
    std::map<std::pair<std::int64_t, std::int64_t>, bool> covers_;
};

}  // namespace

void check_rma_conflicts(const model::Recording& recording,
                         const std::vector<LocalProcedure>& procedures,
                         const EventsByProcess& events,
                         Footprints& footprints,
                         Reporter& reporter) {
    if (recording.execution().windows.empty()) return;
    ConflictCheck(recording, procedures, events, footprints, reporter).run();
}

}  // namespace mqinspect::analysis
