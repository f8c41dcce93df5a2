/// What other threads may read of a thread: the MPI call that it has under way.
#pragma once

#include <atomic>
#include <cstdint>

#include "thread_level/checks/here.h"
#include "thread_level/checks/site.h"

namespace mqinspect::thread_level::checks {

struct ExecutionList;

/// As it was handed over: a number, or an address.
struct Communicator {
    bool is_known = false;
    std::uint64_t value = 0;

    bool operator==(const Communicator&) const = default;
};

/// One thread's part in a pair, for people.
struct Party {
    const Site* site = nullptr;
    int thread = -1;  ///< -1: in no team
    int size = 0;
    bool is_chance = false;  ///< the same thread as the other's: another one could have come first
};

/// Of a thread that has made an MPI call; handed on to another one when it ends.
struct alignas(64) Record {
    std::atomic<std::uint64_t> sequence{0};  ///< odd: a call is under way, and what is below holds
    std::atomic<const Site*> site{nullptr};
    std::atomic<std::uint64_t> communicator{0};
    std::atomic<bool> has_communicator{false};
    std::atomic<int> thread{-1};
    std::atomic<int> size{0};

    Record* next = nullptr;
    std::atomic<bool> is_taken{false};
    // The thread's own.
    const void* stack = nullptr;  ///< of the call under way
    int is_main = -1;             ///< -1: not known yet
    ExecutionList* lists = nullptr;
};

/// The calling thread's; nullptr if there is no memory.
Record* own_record();

/// A call that never came back is taken for over by the next one.
void begin_call(Record& record, const Party& party, Communicator communicator, const void* stack);
inline void end_call(Record& record) {
    const std::uint64_t sequence = record.sequence.load(std::memory_order_relaxed);
    if (sequence % 2 != 0) record.sequence.store(sequence + 1, std::memory_order_release);
}

/// Reports the calls that other threads have under way.
void find_overlaps(const Record& record, const Party& party, Communicator communicator);

/// The program does something at this place of the stack. If a call is under way from further down
/// it, an exception or a jump has left it.
inline void leave_call(const void* stack) {
    Record* const record = here.record;
    if (record != nullptr && stack >= record->stack) end_call(*record);
}

/// Whether the calling thread has an MPI call under way.
inline bool is_in_call() {
    const Record* const record = here.record;
    return record != nullptr && record->sequence.load(std::memory_order_relaxed) % 2 != 0;
}

/// In the child: the other threads are gone.
void forget_records_after_fork();

}  // namespace mqinspect::thread_level::checks
