/// The operations of one queue, by communicator.
#pragma once

#include <cstdint>

#include "include/mpich_handles.h"
#include "include/mqs_extensions.h"
#include "mqs_dll/heap.h"
#include "mqs_dll/status.h"

namespace mqinspect::dll {

using mpich::kAnySource;
using mpich::kAnyTag;
using mpich::kUndefined;

struct Operation {
    std::uint32_t request = 0;  ///< index of the request that carries it
    std::uint32_t communicator = 0;
    /// Peer in the communicator; kAnySource, kUndefined if it is not known, or -1
    /// if it is none of its members.
    std::int32_t peer = -1;
    /// The peer as rank_map.h numbers processes.
    std::int32_t process = MQS_INVALID_PROCESS;
    std::int32_t tag = 0;  ///< kAnyTag, kUndefined if it is not known
    /// Collective operations: the number, -1 if unknown.
    std::int32_t sequence = -1;
    std::uint8_t status = mqs_st_pending;
    std::uint8_t kind = mqs_op_unknown;            ///< mqs_operation_kind
    std::uint8_t protocol = mqs_protocol_unknown;  ///< mqs_protocol
    bool collective = false;                       ///< internal traffic of a collective operation
    bool nonblocking = false;                      ///< known to be
    bool blocking = false;     ///< likewise, or of a collective call: the user has no handle
    bool synchronous = false;  ///< unexpected messages: the sender waits for the match
    /// Complete without a message; envelope and length are those of the user's call.
    bool cancelled = false;
    /// The device does not say whether it belongs to a collective operation; the tag may.
    bool perhaps_collective = false;
};
static_assert(sizeof(Operation) <= 36);

/// Filled with add in the order in which they are to be shown, then grouped.
///
/// Receives that are pending and unexpected messages are in the order of matching.
/// Sends are oldest first only as far as MPICH knows their age: those that its send
/// list holds, oldest first, are followed by those that it does not hold, whose
/// order says nothing (ch3_queues.h).
class OperationQueue {
public:
    [[nodiscard]] bool add(const Operation& operation) { return operations_.push(operation); }
    std::size_t size() const { return operations_.size(); }
    /// In the order of adding; valid until group.
    const Operation& operator[](std::size_t index) const { return operations_[index]; }

    /// The one that was added last; before group.
    Operation& last() { return operations_[operations_.size() - 1]; }

    /// Groups by communicator, keeping the order, the user's own operations before
    /// the internal ones. Every operation's communicator is below the number.
    Status group(std::size_t communicators);
    /// Of one communicator; valid after group.
    const Operation* begin(std::size_t communicator) const;
    const Operation* end(std::size_t communicator) const;

    /// There may be operations on the communicator, of `communicators`, that
    /// cannot be seen. False: no memory.
    [[nodiscard]] bool hide(std::size_t communicator, std::size_t communicators);
    /// All are known after all.
    void unhide(std::size_t communicator) {
        if (communicator < hidden_.size()) hidden_[communicator] = false;
    }
    /// Before group.
    template <class Predicate>
    void remove_if(Predicate&& is_unwanted) {
        std::size_t kept = 0;
        for (const Operation& operation : operations_)
            if (!is_unwanted(operation)) operations_[kept++] = operation;
        operations_.truncate(kept);
    }
    /// How the operations of a communicator end: the queue's status, or
    /// NoInformation if there may be more than those that are here.
    Status status_of(std::size_t communicator) const;

    /// NoInformation: the queue cannot be seen. An error: what is here came before it.
    Status status = Status::NoInformation;

private:
    Array<Operation> operations_;
    Array<std::uint32_t> starts_;  ///< two groups per communicator, and the end
    Array<bool> hidden_;           ///< by communicator; empty if none is
};

}  // namespace mqinspect::dll
