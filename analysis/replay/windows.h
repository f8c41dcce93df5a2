/// Post, start, complete, wait and locks of windows (MPI 4.0, 12.5).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "analysis/pairing/operation.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// What a process waits for at a window; window -1: nothing.
struct WindowWait {
    enum class Kind : std::uint8_t { Posts, Completes, Lock } kind = Kind::Posts;
    std::int64_t window = -1;
    std::vector<model::ProcessId> group;  ///< Lock: the targets
    bool exclusive = false;
};

/// Who has posted, started, completed and locked what.
class Windows {
public:
    using Group = std::vector<model::ProcessId>;

    void post(std::int64_t window, const EventSite& site, const Group& origins);
    /// MPI_Win_start; what it waits for.
    WindowWait start(std::int64_t window, const EventSite& site, const Group& targets);
    /// MPI_Win_complete; what it waits for, should MPI_Win_start have returned too early.
    WindowWait complete(std::int64_t window, model::ProcessId origin);
    /// MPI_Win_wait; what it waits for.
    WindowWait wait(std::int64_t window, model::ProcessId target);
    /// Takes the locks of all targets, or says what to wait for.
    WindowWait lock(std::int64_t window, model::ProcessId origin, Group targets, bool exclusive);
    /// MPI_Win_lock has returned without the lock, which it may: the process has yet to get it.
    void postpone(model::ProcessId origin, WindowWait wait);
    /// MPI_Win_flush and its kin, MPI_Win_unlock: what they wait for, if the lock was postponed.
    WindowWait await_lock(std::int64_t window,
                          model::ProcessId origin,
                          model::ProcessId target) const;
    void unlock(std::int64_t window, model::ProcessId origin, model::ProcessId target);

    /// Who has still to act before the wait is over; empty: it is. A lock that is free is taken.
    std::vector<model::ProcessId> missing(model::ProcessId process, const WindowWait& wait) const;
    void take(model::ProcessId process, const WindowWait& wait);

    /// The call that has begun an epoch, and for whom it is.
    struct Epoch {
        EventSite site;
        Group group;
    };
    /// Two open epochs, of which one is the process's, where one names the other's process and is
    /// not named by it.
    struct Mismatch {
        Epoch start;
        Epoch post;
    };
    std::optional<Mismatch> mismatch(std::int64_t window, model::ProcessId process) const;
    /// What the process waits for, of one that begins no further epoch of the window: its last one
    /// was not for the process.
    std::optional<Mismatch> missed(model::ProcessId process,
                                   const WindowWait& wait,
                                   model::ProcessId other) const;

private:
    struct Pair {  ///< of an origin and a target
        std::uint64_t posts = 0;
        std::uint64_t starts = 0;
        std::uint64_t completes = 0;
        std::uint64_t waits = 0;
    };
    struct Window {
        std::map<std::pair<model::ProcessId, model::ProcessId>, Pair> pairs;  ///< origin, target
        std::map<model::ProcessId, Group> access;    ///< by origin: the open epoch's targets
        std::map<model::ProcessId, Group> exposure;  ///< by target: the open epoch's origins
        std::map<model::ProcessId, std::map<model::ProcessId, bool>> locks;  ///< by target, origin
        std::map<model::ProcessId, Epoch> starts;  ///< by origin, the last one
        std::map<model::ProcessId, Epoch> posts;   ///< by target, the last one
    };

    static bool is_open_start(const Window& window, const Epoch& start);
    static bool is_open_post(const Window& window, const Epoch& post);

    std::map<std::int64_t, Window> windows_;
    std::map<model::ProcessId, std::vector<WindowWait>> postponed_;
};

}  // namespace mqinspect::analysis
