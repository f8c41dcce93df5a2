/// The play that check_rma_conflicts makes of a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "analysis/local/attachments.h"
#include "analysis/local/epoch_accesses.h"
#include "analysis/local/exposures.h"
#include "analysis/local/lock_orders.h"
#include "analysis/local/nocheck_promises.h"
#include "analysis/local/promises.h"
#include "analysis/local/rma_conflicts.h"
#include "analysis/local/tellings.h"
#include "analysis/local/window_facts.h"
#include "analysis/local/window_view.h"
#include "analysis/replay/ordered_calls.h"

namespace mqinspect::analysis {

/// The arguments of the constructor must outlive it.
class ConflictCheck {
public:
    ConflictCheck(const model::Recording& recording,
                  const std::vector<LocalProcedure>& procedures,
                  const EventsByProcess& events,
                  Footprints& footprints,
                  Attachments& attachments,
                  Reporter& reporter)
        : execution_(recording.execution()),
          procedures_(procedures),
          events_(events),
          footprints_(footprints),
          reporter_(reporter),
          facts_(execution_),
          attachments_(attachments),
          promises_(execution_, facts_, reporter),
          nocheck_promises_(execution_, reporter),
          lock_orders_(execution_, reporter),
          tellings_(execution_, reporter),
          calls_(recording) {}
    void run();

private:
    using Key = EpochAccesses::Key;

    /// True: the call is a collective operation.
    bool read(const model::RecordedCall& call);
    /// Cursor::loads.
    static std::map<std::int64_t, int> loads_by_place(
        std::span<const model::RecordedEvent* const> events);
    /// For TargetAccess::issued and completed. Precondition of the second: it has returned.
    std::uint64_t begin_of(const model::RecordedCall& call) const;
    struct End {
        std::uint64_t event = TargetAccess::kNever;
        std::int64_t ns = INT64_MAX;
    };
    End end_of(const model::RecordedCall& call) const;
    void on_new_window(Cursor& cursor, const CallView& view);

    /// Null: no window, or none that is known.
    WindowView* window_of(Cursor& cursor, std::int64_t id);
    void update_order(Cursor& cursor, const CallView& view, bool collective);

    /// Operations that no flush has completed go on behind the barrier.
    void begin_round(std::int64_t id, WindowView& window, std::uint64_t event);

    struct Unrecorded {
        bool any = false;
        model::ProcessId only_by{-1};  ///< TargetAccess::only_by
    };
    /// Whether the process may know what others have done since the last collective operation of
    /// the window, in a way that is not in the record. `but_for`: by another of its calls than
    /// this.
    Unrecorded told_of_others(const Cursor& cursor,
                              std::int64_t id,
                              const WindowView& window,
                              std::uint64_t but_for = 0);
    bool may_know_of_others(const Cursor& cursor,
                            std::int64_t id,
                            const WindowView& window,
                            std::uint64_t but_for = 0) {
        return told_of_others(cursor, id, window, but_for).any;
    }

    /// Those operations that `which` means are complete at their targets.
    template <class Which>
    void complete(Cursor& cursor, std::int64_t id, WindowView& window, const End& end, Which which);
    void complete_requests(Cursor& cursor, const CallView& view);
    /// Operations of the window let others know something in a way that Tellings can follow.
    bool can_follow(std::int64_t id) const;
    void note_store(const Cursor& cursor, std::int64_t id, const Aimed& aimed);
    void note_fetch(const Cursor& cursor, std::int64_t id, const Aimed& aimed);

    void on_window_call(Cursor& cursor, const CallView& view);
    void start(const Cursor& cursor, const CallView& view, std::int64_t id, WindowView& window);
    void unlock(Cursor& cursor, const CallView& view, std::int64_t id, WindowView& window);
    /// Others ask how far the process was until they have freed it, too.
    void free(std::int64_t id, WindowView& window);
    static TargetAccesses::Kind exposed_kind(model::ProcessId target);
    void post(Cursor& cursor, const CallView& view, std::int64_t id, WindowView& window);
    void end_exposure(const Cursor& cursor, std::int64_t id, WindowView& window);

    /// Accesses between start and complete whose post is known by now.
    void resolve(std::int64_t id, model::ProcessId target, model::ProcessId origin);
    void access(Cursor& cursor, const CallView& view, std::int64_t id, WindowView& window);

    // held_locks.cpp
    void lock(Cursor& cursor, const CallView& view, std::int64_t id, WindowView& window);
    /// Reports a lock of what its target exposes. Precondition: facts_.members(id).
    void check_exposed(const Cursor& cursor,
                       const CallView& view,
                       std::int64_t id,
                       std::int64_t target);
    /// `target`: of a lock; another than all members: none.
    NoCheckPromises::Epoch new_epoch(const Cursor& cursor,
                                     const CallView& view,
                                     std::int64_t id,
                                     const WindowView& window,
                                     std::int64_t target);
    /// Exclusive locks of other targets may be what keeps others away: TargetAccess::guards.
    static std::uint64_t other_locks(const Cursor& cursor, std::int64_t id, std::int64_t target);
    /// What its last call has told a process that holds locks.
    void tell_locks(Cursor& cursor);

    // own_memory.cpp
    /// Other calls, and the origins' side of one-sided ones, in the memory of the process's own
    /// windows.
    void touch_own_memory(Cursor& cursor, const CallView& view);

    /// What the program has done by itself before this call.
    void take_own_doings(Cursor& cursor, const model::RecordedCall& call);
    /// MPI_Win_attach, MPI_Win_detach.
    void touch_attached(Cursor& cursor, const CallView& view);
    void touch_by_program(Cursor& cursor,
                          const model::RecordedEvent& event,
                          const CallSite& next,
                          std::int64_t id,
                          WindowView& window);

    /// The same for the memory of the process's own part.
    bool may_be_told(const Cursor& cursor, std::int64_t id, const WindowView& window);
    static bool in_fence_epoch(const WindowView& window);
    void touch(const Cursor& cursor,
               const TargetAccess& by,
               std::int64_t id,
               WindowView& window,
               const Access& touched,
               std::int64_t base);

    void add(const Key& key, const Aimed& aimed);
    // common_memory.cpp
    /// Of windows that have memory in common, told by the first one.
    void begin_shared_round(Cursor& cursor, std::int64_t first);
    /// To the operations of other windows with the same memory.
    void add_shared(Cursor& cursor, std::int64_t id, const Aimed& aimed);
    /// What its process had heard before an operation in an epoch of MPI_Win_start: the posts that
    /// this may have waited for tell what their processes had heard.
    Heard heard_in_start(const Cursor& cursor,
                         std::int64_t id,
                         const WindowView& window,
                         model::ProcessId target);
    /// An operation in an epoch of a fence or a start is one of those at its end.
    void keep_unclosed(const Cursor& cursor,
                       std::int64_t id,
                       WindowView& window,
                       const Aimed& aimed);
    void close_epoch(Cursor& cursor, std::int64_t id, WindowView& window, std::uint64_t event);

    const model::Execution& execution_;
    const std::vector<LocalProcedure>& procedures_;
    const EventsByProcess& events_;
    Footprints& footprints_;
    Reporter& reporter_;
    WindowFacts facts_;
    Attachments& attachments_;
    Promises promises_;
    NoCheckPromises nocheck_promises_;
    LockOrders lock_orders_;
    Tellings tellings_;
    OrderedCalls calls_;
    std::vector<Cursor> cursors_;  ///< by process
    EpochAccesses accesses_;
    std::map<std::int64_t, std::size_t> freed_;  ///< by window: members that have freed it
    Exposures exposures_;
    std::vector<Access> touched_;
};

}  // namespace mqinspect::analysis
