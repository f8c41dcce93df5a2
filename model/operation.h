/// An operation inside the MPI library that has started and not been completed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/ids.h"

namespace mqinspect::model {

enum class Queue {
    PostedReceive,      ///< started, not yet matched receive
    UnexpectedMessage,  ///< arrived, not yet matched message
    PendingSend,        ///< started send that the user has not completed
    Collective,         ///< started nonblocking collective, or MPI_Isendrecv
};

/// Matched: sender and receiver have met, data may be on its way; of an unexpected
/// message: a matched probe has taken it, and nobody has received it yet. Complete:
/// finished, but the user has not yet waited for it.
enum class OperationState { Pending, Matched, Complete };

/// MPI 4.0, 3.4. Unknown where the debugger DLL does not say.
enum class SendMode { Unknown, Standard, Synchronous, Ready, Buffered };

enum class Protocol { Unknown, Eager, Rendezvous, Self };

/// One pending operation of one rank. An empty optional is "unknown", except
/// for the peer and tag of a wildcard, which the flags tell apart.
struct Operation {
    WorldRank rank;
    CommunicatorId communicator;
    Queue queue = Queue::PostedReceive;
    OperationState state = OperationState::Pending;
    /// Source of a receive or message, destination of a send.
    std::optional<CommRank> comm_peer;
    std::optional<WorldRank> world_peer;
    bool any_source = false;
    std::optional<int> tag;
    bool any_tag = false;
    /// Of the buffer for receives and sends, of the message for unexpected ones, of collective
    /// operations what one process gives or gets at most.
    std::optional<std::uint64_t> bytes;
    std::optional<std::uint64_t> count;
    std::string datatype;
    /// The MPI function that started it ("MPI_Irecv"), empty if unknown.
    std::string function;
    SendMode mode = SendMode::Unknown;
    Protocol protocol = Protocol::Unknown;
    bool persistent = false;
    /// Internal traffic of a collective operation on the communicator.
    bool collective = false;
    /// UnexpectedMessage: its sender waits until it is matched.
    bool synchronous = false;
    /// Collective: its number on the communicator, see Membership.
    std::optional<std::int64_t> sequence;
    /// Collective: whom this rank's part of it waits for at the moment, to receive
    /// from and to send to. Empty if nobody, or unknown.
    std::vector<WorldRank> receives_from;
    std::vector<WorldRank> sends_to;
    /// The MPI_Request that the user holds, of a message taken by a matched probe the
    /// MPI_Message.
    std::optional<std::uint64_t> request;
    /// The MPI_Request of the MPI_Isendrecv that this send or receive is a part of. Such an
    /// operation has queue Collective and function "MPI_Isendrecv", also if it is one of
    /// MPI_Isendrecv_replace.
    std::optional<std::uint64_t> part_of;
    /// Addresses of the MPI library's request objects, 0 if unknown: the one the
    /// handle names, and the one that carries a persistent operation's transfer.
    std::uint64_t address = 0;
    std::uint64_t active_address = 0;
    std::uint64_t buffer = 0;
    /// The debugger DLL is known to list operations of this kind that do not exist.
    bool doubtful = false;
    std::vector<std::string> extra_text;

    friend bool operator==(const Operation&, const Operation&) = default;
};

}  // namespace mqinspect::model
