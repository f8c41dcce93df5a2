/// The MPI call that a rank is in, decoded from its stack.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/ids.h"
#include "model/mpi_function.h"

namespace mqinspect::model {

/// A place in the user's source. Line 0: unknown.
struct SourceLocation {
    std::string file;
    int line = 0;

    friend bool operator==(const SourceLocation&, const SourceLocation&) = default;
};

/// A source or destination argument.
struct Peer {
    enum class Kind { Rank, AnySource, ProcNull, Root } kind = Kind::Rank;
    CommRank rank;  ///< only for Kind::Rank
    std::optional<WorldRank> world_rank;

    friend bool operator==(const Peer&, const Peer&) = default;
};

/// An argument as it is shown: {"source", "1"}, {"comm", "MPI_COMM_WORLD"}.
struct Argument {
    std::string name;
    std::string text;

    friend bool operator==(const Argument&, const Argument&) = default;
};

/// A request that a Wait call names.
struct WaitedRequest {
    std::uint64_t handle = 0;
    /// MPI_REQUEST_NULL: nothing to wait for.
    bool null = false;
    /// The operation in JobSnapshot::operations, if the queues list it.
    std::optional<std::size_t> operation;
    /// Known to be finished, or a persistent request that is not started.
    bool finished = false;

    friend bool operator==(const WaitedRequest&, const WaitedRequest&) = default;
};

/// A call in progress. What could not be read is empty; the analysis treats it
/// as unknown, never as absent.
struct Call {
    std::string function;  ///< C name: "MPI_Recv", also for a Fortran caller
    std::vector<Argument> arguments;
    SourceLocation location;  ///< of the call in the user's code

    std::optional<CommunicatorId> communicator;
    /// Destination of a send, source of a receive or probe; Sendrecv: both.
    std::optional<Peer> destination;
    std::optional<Peer> source;
    std::optional<int> send_tag;
    std::optional<int> receive_tag;
    bool any_tag = false;
    /// Rooted collectives: the root's rank (intercommunicators: see Peer::Kind).
    std::optional<Peer> root;
    /// Wait calls: what they wait for, in the order of the call.
    std::optional<std::vector<WaitedRequest>> requests;
    /// Synchronization of windows, where a recorder says it: bytes of this rank's one-sided
    /// operations that need not be complete.
    std::optional<std::int64_t> moved_bytes;
    /// Blocking sends and receives: their own operations in
    /// JobSnapshot::operations, where the queues list them.
    std::vector<std::size_t> operations;

    friend bool operator==(const Call&, const Call&) = default;
};

}  // namespace mqinspect::model
