/// What a recorder in the process says of its pending operations, where MPICH says nothing: a
/// library without debug information, or a device that leaves messages to a network library.
///
/// The recorder's structures are those of include/pending_operations.h.
#pragma once

#include <cstdint>

#include "include/pending_operations.h"
#include "mqs_dll/function_names.h"
#include "mqs_dll/heap.h"
#include "mqs_dll/status.h"
#include "mqs_dll/target.h"

namespace mqinspect::dll {

struct Snapshot;

/// The messages between this process and one peer.
struct PeerCounts {
    std::int32_t peer = 0;
    pending::MessageCounts counts;
};

/// Of one communicator: `size` elements of Snapshot::message_counts from `first` on.
struct CountedMessages {
    std::uint32_t first = 0;
    std::uint32_t size = 0;
    Status status = Status::NoInformation;  ///< CorruptData: they were not all counted
};

/// The recorder's head. NoInformation: `address` is 0, nothing is recorded, or the recorder is
/// of another version.
Status read_recorder(const Target& target, std::uint64_t address, pending::Head& head);

/// How many MPI calls the threads have made.
Status count_recorded_calls(const Target& target, const pending::Head& head, std::uint64_t& count);

/// Fills a snapshot in which there is nothing yet: communicators and queues. A failure is that
/// of the communicators, or OutOfMemory; what goes wrong with a queue stays in its status.
Status read_from_recorder(const Target& target, const pending::Head& head, Snapshot& snapshot);

/// Replaces sends and receives of the user on communicators of which the device hides some.
/// The queues are not grouped yet. OutOfMemory is the only failure.
Status complete_from_recorder(const Target& target, const pending::Head& head, Snapshot& snapshot);

}  // namespace mqinspect::dll
