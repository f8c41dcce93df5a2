/// Windows and schedules of a fake MPICH, as device ch3 and the schedules of
/// nonblocking collective operations have them. Offsets are not MPICH's.
#pragma once

#include <cstdint>
#include <vector>

#include "include/mqs_extensions.h"
#include "tests/support/fake_mpich.h"

namespace mqinspect::test {

struct FakeWindow {
    std::int32_t handle = 0;
    std::uint64_t size = 32;
    std::uint64_t comm = 0;
    char name[128] = {};
    std::int32_t flavor = 1, counter = 0, lock = 60, shared_locks = 0;
    std::uint64_t lock_queue = 0;
    std::int32_t shm_allocated = 0;
    std::uint64_t slots = 0;
    std::int32_t slot_count = 0;
    std::int32_t access = 63, exposure = 63;
    std::uint64_t started = 0;
    std::int32_t started_count = 0, outstanding_locks = 0;
    std::uint64_t next = 0;
};
struct FakeTarget {
    std::uint64_t net_operations = 0, user_operations = 0, next = 0;
    std::int32_t rank = 0, state = 63, lock_type = 60, sync_flag = 0, acks = 0;
};
struct FakeWaiter {
    std::uint64_t next = 0;
    std::int32_t packet_type = 0, packet_flags = 0;
    std::uint64_t connection = 0;
};
/// A part of a schedule: MPIDU_Sched_entry, of which sends and receives have all in
/// common here.
struct FakeEntry {
    std::int32_t type = 0, status = 0;
    std::uint64_t comm = 0, request = 0;
    std::int32_t rank = 0, unused[9] = {};
};

/// Access states, lock types and flags of the packets that ask for a lock.
inline constexpr std::int32_t kStartIssued = 66, kPosted = 68, kPerTarget = 69, kLockIssued = 74,
                              kLockGranted = 75;
inline constexpr std::int32_t kLockExclusive = 234, kLockShared = 235;
inline constexpr std::int32_t kAsksShared = 1, kAsksExclusive = 2;

class FakeWindows {
public:
    /// Describes the types and defines the variables; before the DLL is set up.
    explicit FakeWindows(FakeMpich& mpich);

    /// At the front of the list of windows with or without waiting operations.
    FakeWindow& add(std::uint64_t comm, bool active = false);
    /// In the first slot of the window, at the front.
    /// Returns its address.
    std::uint64_t add_target(FakeWindow& window, const FakeTarget& target);
    /// An operation that waits to be sent off, with the user's request; for FakeTarget.
    std::uint64_t add_operation(std::uint64_t request);
    /// At the front of the queue.
    void add_waiter(FakeWindow& window, int comm_rank, std::int32_t flags);
    void set_started(FakeWindow& window, const std::vector<std::int32_t>& ranks);
    /// The schedule of a collective operation's request, the only one; its address.
    std::uint64_t add_schedule(std::uint64_t request,
                               const std::vector<FakeEntry>& entries,
                               std::int32_t tag = 287);

private:
    FakeMpich& mpich_;
};

}  // namespace mqinspect::test
