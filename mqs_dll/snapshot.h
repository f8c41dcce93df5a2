/// What one process had pending when it was last asked: everything is read once,
/// and the iterators only look here.
#pragma once

#include <cstdint>

#include "include/mqs_extensions.h"
#include "mqs_dll/communicators.h"
#include "mqs_dll/datatypes.h"
#include "mqs_dll/job.h"
#include "mqs_dll/layout.h"
#include "mqs_dll/operations.h"
#include "mqs_dll/recorder_lists.h"
#include "mqs_dll/requests.h"
#include "mqs_dll/schedules.h"
#include "mqs_dll/status.h"
#include "mqs_dll/symbols.h"
#include "mqs_dll/target.h"
#include "mqs_dll/visibility.h"
#include "mqs_dll/windows.h"

namespace mqinspect::dll {

/// The classes of mqs_op_class, and mqs_pending_collectives.
inline constexpr int kQueues = 4;
static_assert(mqs_pending_collectives == kQueues - 1);

struct Snapshot {
    CommunicatorTable communicators;
    RequestTable requests;
    DatatypeTable datatypes;
    OperationQueue queues[kQueues];
    SchedulePeers schedule_peers;
    WindowTable windows;
    /// By communicator; empty if there is no recorder.
    Array<CountedMessages> counted;
    Array<PeerCounts> message_counts;
    FunctionNames functions;
    bool shows_internal = false;
    std::int32_t tag_bits = 0;  ///< MPIR_Process.tag_bits, 0 if unknown
    Visibility visibility;
    /// What the debugger calls the processes; null if it has not told. Borrowed.
    const JobState* job = nullptr;
    /// The process that this is a snapshot of, as the debugger calls it.
    std::int32_t own_identity = MQS_INVALID_PROCESS;
    /// Likewise rank 0 of its MPI_COMM_WORLD, if all others follow.
    std::int32_t world_first = MQS_INVALID_PROCESS;

    /// Reads everything. A failure is that of the communicators, or OutOfMemory;
    /// what goes wrong with a queue stays in its status. What was read before a
    /// failure can be iterated.
    Status read(const Target& target, const Layout& layout, const Symbols& symbols, bool internal);

    /// The same of an MPI library without debug information, from a recorder in the process.
    /// MissingLayout: there is none.
    Status read_recorded(const Target& target, const Symbols& symbols);

    /// Fills the queues of sends, receives and unexpected messages as the device
    /// keeps them.
    Status read_queues(const Target& target,
                       const Layout& layout,
                       const Symbols& symbols,
                       Status pools);

    Status group();

    /// What the debugger calls a process of rank_map.h: its identity where the
    /// debugger has given identities, else its rank in MPI_COMM_WORLD.
    /// MQS_INVALID_PROCESS: not known, or of another world without an identity.
    std::int32_t identity_of(std::int32_t process) const;

    /// Whether the device keeps operations on the communicator to itself.
    bool is_hidden(std::size_t communicator) const {
        return visibility.hides(communicators[communicator], communicators.ranks());
    }

    /// Whether the iteration shows a communicator.
    bool is_shown(std::size_t communicator) const {
        return shows_internal || !communicators[communicator].internal;
    }
};

}  // namespace mqinspect::dll
