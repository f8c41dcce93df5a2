/// Messages and collective operations of a recorded run, between their start and their end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/findings.h"
#include "analysis/pairing/call_kind.h"
#include "model/execution.h"

namespace mqinspect::analysis {

using OperationIndex = std::uint32_t;
inline constexpr OperationIndex kNoOperation = ~OperationIndex{0};

/// Which call of which process: what is kept of a RecordedCall.
struct EventSite {
    model::ProcessId process;
    int thread = 0;
    model::ProcedureId procedure;
    model::StackId stack;
    std::uint64_t event = 0;
    std::int64_t time_ns = 0;
    bool returned = false;

    InvolvedCall involved(std::string_view part, bool anomalous = true) const;
};

EventSite event_site_of(const model::RecordedCall& call);

/// One send or receive. Those of persistent requests: one for each start.
struct Operation {
    EventSite site;  ///< the call that started it; of matched probes the probe
    model::CommunicatorId communicator;
    model::ProcessId peer{-1};   ///< destination, or actual source; -1: not known
    std::int64_t peer_rank = 0;  ///< as the call names it
    std::int64_t tag = 0;        ///< the actual one, where it is known
    std::int64_t count = 0;
    model::DatatypeId datatype{-1};
    std::uint64_t checksum = 0;  ///< 0: not taken
    std::int64_t bytes = -1;     ///< received, by the status; -1: not known
    /// Of a persistent request the call that made it, of a matched probe's message the receive:
    /// a subscript for Matcher::origin, -1: none.
    std::int32_t origin = -1;
    bool is_send = false;
    bool any_source = false;
    bool any_tag = false;
    bool inferred = false;     ///< a wildcard whose source follows from nothing else being there
    bool ambiguous = false;    ///< a wildcard that several senders could have met
    bool alike = false;        ///< the same, but they all send the same amount
    bool too_short = false;    ///< the same, but MPI has said that what came is too long
    bool buffered = false;     ///< a send in buffered mode: waits for nobody
    bool synchronous = false;  ///< a send that is complete once its receive has met it
    bool partitioned = false;
    bool has_buffer = true;  ///< false: a matched probe that no receive has followed yet
    bool matched = false;
    bool tested = false;     ///< a send that a Test has found complete before it was matched
    bool completed = false;  ///< nothing more will be learned of it
    bool delivered = false;  ///< handed to the visitor
    std::uint32_t waiter = ~std::uint32_t{0};
    OperationIndex partner = kNoOperation;
    OperationIndex next = kNoOperation;
    OperationIndex previous = kNoOperation;
};

/// A destination in Contribution::given.
constexpr std::int64_t edge_to(std::int64_t rank) {
    return -1 - rank;
}

// Places in Contribution::given of CallKind::by_leaders: the arguments of MPI_Intercomm_create
// behind the first one. MPI_Intercomm_create_from_groups has no peer communicator and a text as
// tag; its leader gives the remote group behind that, others not even its leader.
inline constexpr std::size_t kLocalLeader = 0;
inline constexpr std::size_t kPeerCommunicator = 1;
inline constexpr std::size_t kRemoteLeader = 2;
inline constexpr std::size_t kLeadersTag = 3;
inline constexpr std::size_t kLeadersGiven = 4;  ///< so many at least

/// What one process has contributed to a collective operation. Counts of lists are in `counts`.
struct Contribution {
    EventSite site;
    bool arrived = false;
    bool completed = false;  ///< returned, or its request has been completed
    bool send_in_place = false;
    bool receive_in_place = false;
    /// Of topologies with neighbours: MPI_UNWEIGHTED, weights, or neither, as there are no edges.
    enum class Weights : std::uint8_t { None, Unweighted, Given } weights = Weights::None;
    std::int64_t root = 0;
    std::int64_t operation = -1;  ///< subscript in Execution::operators
    std::int64_t send_count = 0;  ///< also the one count of Bcast, Reduce and accesses to files
    std::int64_t receive_count = 0;
    model::DatatypeId send_type{-1};
    model::DatatypeId receive_type{-1};
    std::uint64_t send_checksum = 0;
    std::uint64_t receive_checksum = 0;
    std::vector<std::int64_t> send_counts;
    std::vector<std::int64_t> receive_counts;
    std::vector<std::int64_t> send_types;  ///< of Alltoallw
    std::vector<std::int64_t> receive_types;
    /// Of MPI_Comm_create the group, as ranks in MPI_COMM_WORLD; of MPI_Comm_create_group and
    /// MPI_Comm_create_from_group the tag, as a number or a text; of CallKind::by_lists its lists;
    /// of CallKind::by_number that, of CallKind::by_values those; of MPI_File_set_view the
    /// elementary datatype and, as a text, the data representation; of MPI_File_open the access
    /// mode and, as a text, the name; of CallKind::by_edges the sources of its edges, then the
    /// destinations as edge_to() of them; of CallKind::by_leaders those of kLocalLeader and its
    /// kin.
    std::vector<std::int64_t> given;
};

using WaveIndex = std::uint32_t;
inline constexpr WaveIndex kNoWave = ~WaveIndex{0};

/// One collective operation. Members of an intercommunicator: the group `members`, then
/// `remote_members`.
struct Wave {
    std::uint32_t order = 0;   ///< subscript of the sequence of waves it belongs to
    std::uint64_t number = 0;  ///< in that sequence
    model::CommunicatorId communicator{-1};
    std::uint32_t arrived = 0;
    std::uint32_t completed = 0;
    bool whole = false;                       ///< all have arrived
    bool disagreeing = false;                 ///< whole, but not all have called the same
    std::vector<Contribution> contributions;  ///< by member
    std::vector<std::uint32_t> waiters;
};

/// Learns what has been matched. References are valid during the call.
class MatchVisitor {
public:
    MatchVisitor() = default;
    MatchVisitor(const MatchVisitor&) = delete;
    MatchVisitor& operator=(const MatchVisitor&) = delete;
    virtual ~MatchVisitor() = default;

    /// A send or receive that has been started.
    virtual void on_start(OperationIndex, const Operation&) {}
    /// A synchronous send has met its receive.
    virtual void on_met(const Operation& /*send*/, const Operation& /*receive*/) {}
    /// Then, when the sender has waited for it: it knows that now.
    virtual void on_acknowledged(OperationIndex /*send*/, const Operation&) {}
    /// A message, after its receive has completed, or at the end of the run.
    virtual void on_pair(const Operation& send, const Operation& receive) = 0;
    /// A collective operation that all members have started: after all have finished it, or at
    /// the end of the run. If they have called different procedures, as soon as all have.
    virtual void on_wave(const Wave& wave) = 0;
    /// The same as soon as all have started it.
    virtual void on_whole(const Wave&) {}
};

}  // namespace mqinspect::analysis
