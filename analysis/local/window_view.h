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
#include "model/execution.h"

namespace mqinspect::analysis {

/// More that are not complete at a barrier are not looked at behind it.
inline constexpr std::size_t kMaxUnflushed = 4096;

/// An access to a member of a window's group, by its rank there.
struct Aimed {
    std::int64_t target = 0;
    TargetAccess access;
    bool fetches = false;  ///< its result tells that it is complete
};

/// What one process does with one window.
struct WindowView {
    std::int64_t own_rank = -1;
    /// The memory of this process; null: not known, or none of its own.
    const model::RecordedWindow::Part* own = nullptr;
    std::int64_t fences = 0;
    std::vector<model::ProcessId> started;  ///< the group of MPI_Win_start, while its epoch is open
    std::optional<std::int64_t> posted;  ///< the number of MPI_Win_post's epoch, while it is open
    std::int64_t posts = 0;
    bool lock_all = false;
    std::map<std::int64_t, bool> locks;  ///< by target: is it exclusive?
    std::int64_t rounds = 0;             ///< collective operations of all members
    bool informed = false;               ///< since then something came from another process
    bool synced = false;                 ///< since then MPI_Win_sync: it may have read that
    bool fetches = false;                ///< something is being fetched
    std::int64_t flushes = 0;            ///< of all targets
    std::map<std::int64_t, std::int64_t> flushed;  ///< further ones, by target
    std::vector<Aimed> unflushed;  ///< under locks, not known to be complete at the target
};

struct Cursor {
    model::ProcessId process;
    std::unique_ptr<model::CallStream> calls;
    std::unique_ptr<CommunicatorShapes> shapes;
    std::map<std::int64_t, WindowView> windows;
    std::span<const model::RecordedEvent* const> events;  ///< of its first thread, to come
    std::int64_t completions = 0;                         ///< calls of MPI_Wait and its kin
};

}  // namespace mqinspect::analysis
