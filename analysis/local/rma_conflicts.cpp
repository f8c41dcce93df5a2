#include "analysis/local/rma_conflicts.h"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>

#include "analysis/datatypes/checked.h"
#include "analysis/local/epochs.h"
#include "analysis/local/target_accesses.h"

namespace mqinspect::analysis {

namespace {

using model::CallClass;
using model::ProcessId;
using model::Role;

/// What one process does with one window.
struct WindowView {
    std::int64_t fences = 0;
    std::int64_t starts = 0;
    bool started = false;
    bool lock_all = false;
    std::map<std::int64_t, bool> locks;  ///< by target: is it exclusive?
    std::int64_t rounds = 0;             ///< collective operations of all members
    bool informed = false;               ///< since then something came from another process
    bool fetches = false;                ///< something is being fetched
    std::int64_t flushes = 0;            ///< of all targets
    std::map<std::int64_t, std::int64_t> flushed;  ///< further ones, by target
};

struct Cursor {
    ProcessId process;
    std::unique_ptr<model::CallStream> calls;
    std::unordered_map<std::int64_t, WindowView> windows;
    std::int64_t completions = 0;  ///< calls of MPI_Wait and its kin
};

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
                  Footprints& footprints,
                  Reporter& reporter)
        : recording_(recording),
          execution_(recording.execution()),
          procedures_(procedures),
          footprints_(footprints),
          reporter_(reporter) {}

    void run() {
        std::deque<Cursor> waiting;
        for (const model::RecordedProcess& process : execution_.processes) {
            waiting.push_back({process.id, recording_.calls(process.id), {}, 0});
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
            if (view.local.window != WindowAction::None) {
                on_window_call(cursor, view);
            } else if (view.local.requests != RequestAction::None) {
                ++cursor.completions;
            }
            const bool collective =
                view.local.procedure->function.call_class == CallClass::AllToAll;
            update_order(cursor, view, collective);
            if (collective) return true;
        }
        return false;
    }

    void update_order(Cursor& cursor, const CallView& view, bool collective) {
        if (cursor.windows.empty() || tells_nothing(view)) return;
        const std::int64_t communicator = view.number(Role::Communicator, model::kNullHandle);
        for (auto& [id, window] : cursor.windows) {
            if (collective && covers(communicator, id)) {
                leave(id, TargetAccesses::Passive, window.rounds++);
                window.informed = false;
            } else {
                window.informed = true;
            }
        }
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

    /// A process has passed an epoch or a round; after the last one it is forgotten.
    void leave(std::int64_t window, TargetAccesses::Kind kind, std::int64_t index) {
        const auto key = std::make_tuple(window, kind, index);
        const std::vector<ProcessId>* const all = members(window);
        if (all == nullptr || ++left_[key] < all->size()) return;
        left_.erase(key);
        accesses_.erase(key);
    }

    void on_window_call(Cursor& cursor, const CallView& view) {
        const std::int64_t id = view.number(Role::Window, model::kNullHandle);
        if (members(id) == nullptr || !view.call.leave_event || view.call.error_code != 0) return;
        WindowView& window = cursor.windows[id];
        const std::int64_t target = view.number(Role::TargetRank, model::kProcNull);
        switch (view.local.window) {
            case WindowAction::Fence:
                return leave(id, TargetAccesses::Fence, window.fences++);
            case WindowAction::Start:
                window.started = true;
                return;
            case WindowAction::Complete:
                accesses_.erase({id, own_kind(cursor), window.starts++});
                window.started = false;
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
            case WindowAction::FlushLocalAll:
                window.informed = window.informed || window.fetches;
                return;
            case WindowAction::Access:
                return access(cursor, view, id, window);
            case WindowAction::Free:
                cursor.windows.erase(id);
                return;
            default:
                return;
        }
    }

    static void flushed(WindowView& window, std::optional<std::int64_t> target) {
        ++(target ? window.flushed[*target] : window.flushes);
        // What has been fetched may tell of others.
        window.informed = window.informed || window.fetches;
    }

    bool is_exclusive(std::int64_t lock_type) const {
        const auto found = execution_.constants.find("MPI_LOCK_EXCLUSIVE");
        if (found != execution_.constants.end()) return lock_type == found->second;
        // MPICH's and Open MPI's numbers of MPI_LOCK_SHARED; anything else orders.
        return lock_type != 235 && lock_type != 2;
    }

    /// Epochs of MPI_Win_start are each process's own.
    static TargetAccesses::Kind own_kind(const Cursor& cursor) {
        return static_cast<TargetAccesses::Kind>(TargetAccesses::Started + cursor.process.value);
    }

    void access(Cursor& cursor, const CallView& view, std::int64_t id, WindowView& window) {
        const std::int64_t target = view.number(Role::TargetRank, model::kProcNull);
        const std::vector<ProcessId>& all = *members(id);
        if (target < 0 || static_cast<std::size_t>(target) >= all.size()) return;
        const bool fetches =
            view.local.buffers != BufferRule::Put && view.local.buffers != BufferRule::Accumulate;
        window.fetches = window.fetches || fetches;
        TargetAccess made;
        if (!describe(view, id, all[static_cast<std::size_t>(target)], made)) return;
        made.origin = cursor.process;
        made.site = site_of(view.call);
        const auto lock = window.locks.find(target);
        const bool passive = window.lock_all || lock != window.locks.end();
        made.ordered = window.informed;
        made.exclusive = lock != window.locks.end() && lock->second;
        made.flushes = window.flushes + window.flushed[target];
        made.completions = view.local.makes_request && fetches ? cursor.completions : -1;
        auto key = std::make_tuple(id, TargetAccesses::Fence, window.fences);
        if (passive) {
            key = {id, TargetAccesses::Passive, window.rounds};
        } else if (window.started) {
            key = {id, own_kind(cursor), window.starts};
        } else if (window.fences == 0) {
            return;
        }
        TargetAccesses& earlier = accesses_[key];
        const auto report = [&](const TargetAccess& other, bool doubtful) {
            report_conflict(view, made, other, all[static_cast<std::size_t>(target)], doubtful);
        };
        if (!earlier.add(made, target, passive, footprints_, report)) {
            reporter_.unchecked("conflicts between more than " +
                                std::to_string(TargetAccesses::kMaxAccesses) +
                                " one-sided operations of one epoch");
        }
    }

    /// The bytes of the target, counted from the beginning of its window.
    bool describe(const CallView& view, std::int64_t id, ProcessId target, TargetAccess& made) {
        const model::RecordedWindow& window = execution_.windows[static_cast<std::size_t>(id)];
        const auto part = std::find_if(window.parts.begin(),
                                       window.parts.end(),
                                       [target](const auto& one) { return one.process == target; });
        if (part == window.parts.end()) return false;
        const bool counted = view.in(Role::TargetCount) != nullptr;
        const std::int64_t type =
            view.number(counted ? Role::TargetDatatype : Role::Datatype, model::kNullHandle);
        const auto start = checked_product(view.number(Role::TargetDisplacement),
                                           std::max<std::int64_t>(part->displacement_unit, 1));
        if (!start || type < 0 || type > INT32_MAX) return false;
        made.memory.address = *start;
        made.memory.count = counted ? view.number(Role::TargetCount) : 1;
        made.memory.type = model::DatatypeId{static_cast<int>(type)};
        const auto hull = footprints_.hull(*start, made.memory.count, made.memory.type);
        if (!hull || hull->empty()) return false;
        made.memory.hull = *hull;
        made.effect = view.local.buffers == BufferRule::Put   ? TargetAccess::Effect::Write
                      : view.local.buffers == BufferRule::Get ? TargetAccess::Effect::Read
                                                              : TargetAccess::Effect::Accumulate;
        const std::int64_t op = view.number(Role::Operator, TargetAccess::kAnyOperator);
        made.op = op;
        const auto at = static_cast<std::size_t>(op);
        if (op >= 0 && at < execution_.operators.size() &&
            execution_.operators[at].name == "MPI_NO_OP")
            made.op = TargetAccess::kNoOperation;
        return true;
    }

    void report_conflict(const CallView& view,
                         const TargetAccess& made,
                         const TargetAccess& other,
                         ProcessId target,
                         bool doubtful) {
        Finding* const finding = reporter_.report(
            FindingClass::RmaConflict,
            doubtful ? Severity::Warning : Severity::Error,
            made.origin,
            {{made.site, "", true, made.origin}, {other.site, "", true, other.origin}});
        if (finding == nullptr) return;
        const auto rank = [this](ProcessId process) {
            return std::to_string(execution_.processes[process.index()].rank.value);
        };
        const std::string& other_name = execution_.procedures[other.site.procedure.index()].name;
        finding->message = (made.origin == other.origin
                                ? "Two operations of process " + rank(made.origin) + ", " +
                                      view.name() + " and " + other_name + ","
                                : view.name() + " of process " + rank(made.origin) + " and " +
                                      other_name + " of process " + rank(other.origin)) +
                           " access the same memory of process " + rank(target) + " (bytes " +
                           std::to_string(made.memory.hull.low) + " to " +
                           std::to_string(made.memory.hull.high - 1) + " and " +
                           std::to_string(other.memory.hull.low) + " to " +
                           std::to_string(other.memory.hull.high - 1) +
                           " of its window), and nothing orders them" +
                           (doubtful ? "; they accumulate with different operations." : ".");
    }

    const model::Recording& recording_;
    const model::Execution& execution_;
    const std::vector<LocalProcedure>& procedures_;
    Footprints& footprints_;
    Reporter& reporter_;
    using Key = std::tuple<std::int64_t, TargetAccesses::Kind, std::int64_t>;
    std::map<Key, TargetAccesses> accesses_;
    std::map<Key, std::size_t> left_;
    std::map<std::pair<std::int64_t, std::int64_t>, bool> covers_;
};

}  // namespace

void check_rma_conflicts(const model::Recording& recording,
                         const std::vector<LocalProcedure>& procedures,
                         Footprints& footprints,
                         Reporter& reporter) {
    if (recording.execution().windows.empty()) return;
    ConflictCheck(recording, procedures, footprints, reporter).run();
}

}  // namespace mqinspect::analysis
