/// How far one process has come with its windows: what the search for conflicting one-sided
/// operations remembers while it reads the process's calls.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "analysis/local/buffers.h"
#include "analysis/local/target_accesses.h"
#include "analysis/replay/run_clocks.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// What is open beyond is taken for complete.
inline constexpr std::size_t kMaxUnflushed = 1 << 17;

/// An access to a member of a window's group, by its rank there.
struct Aimed {
    std::int64_t target = 0;
    TargetAccess access;
    bool fetches = false;  ///< its result tells that it is complete
    bool tells = false;    ///< and so does it of what others have done before
    bool request = false;  ///< it has one
    /// Operations of other windows with the same memory have been compared with it, in rounds that
    /// are over.
    bool shared_before = false;
};

/// What a process had been told of others when it made a call.
struct Heard {
    bool of_anybody = false;  ///< perhaps, in a way that is not in the record
    std::uint64_t event = 0;  ///< of the call
    std::shared_ptr<const Clock> known;
};

/// What one process does with one window.
struct WindowView {
    std::int64_t own_rank = -1;
    /// The memory of this process; null: not known, or none of its own.
    const model::RecordedWindow::Part* own = nullptr;
    std::int64_t fences = 0;
    std::vector<model::ProcessId> started;  ///< the group of MPI_Win_start, while its epoch is open
    Heard at_start;
    std::optional<std::int64_t> posted;  ///< the number of MPI_Win_post's epoch, while it is open
    std::int64_t posts = 0;
    Heard at_post;       ///< the last one
    CallSite posted_by;  ///< it
    bool lock_all = false;
    bool freed = false;
    std::map<std::int64_t, bool> locks;  ///< by target: is it exclusive?
    std::int64_t rounds = 0;             ///< collective operations of all members
    std::uint64_t round_began = 0;       ///< event of the last of them
    std::uint64_t round_before = 0;      ///< and of the one before
    bool informed = false;               ///< since then something came from another process
    bool fetched = false;                ///< since then something that Tellings knows
    std::size_t own_lock = SIZE_MAX;     ///< Tellings::locked(), of the exclusive lock of its part
    bool synced = false;                 ///< since then MPI_Win_sync: it may have read that
    /// The first store to its own part since it was synchronized.
    std::optional<TargetAccess> stored;
    std::vector<Aimed> unflushed;  ///< under locks, not known to be complete at the target
    /// The same in epochs of fences and starts, where other windows have the same memory.
    std::vector<Aimed> unclosed;
};

struct Cursor {
    model::ProcessId process;
    std::unique_ptr<CommunicatorShapes> shapes;
    std::map<std::int64_t, WindowView> windows;
    std::span<const model::RecordedEvent* const> events;  ///< of its first thread, to come
    /// How often the program has loaded from its windows, by the stack of the place that loads.
    /// Once from each of some elements, between the same calls, is once.
    std::map<std::int64_t, int> loads;
    bool synced = false;  ///< its last call was MPI_Win_sync
    /// Its last call, if that has told it of others by messages or collective operations.
    std::optional<CallSite> told_by;
    /// Of windows that have memory in common, by the first one: collective operations of all
    /// their members, and fences of all of them.
    std::map<std::int64_t, std::int64_t> shared_rounds;
};

}  // namespace mqinspect::analysis
