/// One-sided communication (MPI 4.0, chapter 12): what one rank knows of a window.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/ids.h"

namespace mqinspect::model {

enum class LockType { None, Shared, Exclusive };

/// The epoch in which a rank accesses the windows of others. Fence: the last
/// synchronization was MPI_Win_fence, whether or not another one will follow.
enum class AccessEpoch { None, Fence, Start, Lock, LockAll, Unknown };

/// The epoch in which others access this rank's window. Fences are not told apart
/// from none.
enum class ExposureEpoch { None, Post, Unknown };

enum class WindowFlavor { Unknown, Create, Allocate, Shared, Dynamic };

/// A member whose window this rank accesses, or has locked.
struct WindowTarget {
    enum class Lock {
        None,       ///< no lock needed, or not known
        Called,     ///< MPI_Win_lock has returned, the request has not been sent
        Requested,  ///< sent, not granted as far as this rank has seen
        Granted,
    };
    WorldRank rank;  ///< kUnknownRank for a foreign process
    Lock lock = Lock::None;
    LockType type = LockType::None;
    /// Operations that are not finished.
    std::optional<std::uint64_t> operations;

    friend bool operator==(const WindowTarget&, const WindowTarget&) = default;
};

/// A lock on this rank's window that somebody waits for.
struct LockWaiter {
    WorldRank rank;
    LockType type = LockType::Exclusive;

    friend bool operator==(const LockWaiter&, const LockWaiter&) = default;
};

/// An operation that has not finished and that the user has a request of (MPI_Rput).
struct WindowRequest {
    WorldRank target;
    std::uint64_t request = 0;

    friend bool operator==(const WindowRequest&, const WindowRequest&) = default;
};

/// One rank's part of a window.
struct Window {
    WorldRank rank;
    /// The communicator that the MPI library made for the window: the same for all
    /// parts of one window, and of no other. Its members are the window's group.
    CommunicatorId communicator;
    std::string name;
    /// The MPI_Win in this process, 0 if unknown. Differs between ranks.
    std::uint64_t handle = 0;
    std::optional<std::uint64_t> bytes;
    WindowFlavor flavor = WindowFlavor::Unknown;
    /// Members on one host share the memory: they take and give locks at once.
    bool shared_memory = false;

    AccessEpoch access = AccessEpoch::None;
    /// Start: all members of the group have posted; LockAll: see locks_missing.
    bool access_granted = false;
    ExposureEpoch exposure = ExposureEpoch::None;
    /// AccessEpoch::Start: the group that MPI_Win_start named.
    std::vector<WorldRank> started;
    /// ExposureEpoch::Post: the group that MPI_Win_post named, where that is known.
    std::vector<WorldRank> posted;
    /// MPI_Win_lock, MPI_Win_lock_all and MPI_Win_start return only when all that they name
    /// have answered. False: they may return before.
    bool answers_awaited = false;
    /// Calls of MPI_Win_post that have arrived and that no MPI_Win_start has used yet.
    std::optional<std::uint64_t> posts_received;
    std::vector<WindowTarget> targets;
    std::vector<WindowRequest> requests;
    /// MPI_Win_lock_all: locks that are asked for and not granted.
    std::optional<std::uint64_t> locks_missing;

    /// The lock on this rank's own window, how many hold it, and who waits for it.
    LockType lock = LockType::None;
    std::uint64_t holders = 0;
    std::vector<LockWaiter> waiters;
    /// MPI_Win_complete calls, or parts of a fence, that this rank's window still
    /// needs before the exposure can end.
    std::optional<std::uint64_t> completions_missing;

    friend bool operator==(const Window&, const Window&) = default;
};

}  // namespace mqinspect::model
