/// The requests of one process, reduced to what the queues need.
#pragma once

#include <cstdint>

#include "include/mqs_extensions.h"
#include "mqs_dll/communicators.h"
#include "mqs_dll/handle_pool.h"
#include "mqs_dll/heap.h"
#include "mqs_dll/layout.h"
#include "mqs_dll/status.h"
#include "mqs_dll/symbols.h"
#include "mqs_dll/target.h"
#include "mqs_dll/visibility.h"

namespace mqinspect::dll {

/// MPIR_Request_kind_t, as far as anybody asks for it; the numbers are not MPICH's.
enum class RequestKind : std::int32_t {
    Undefined = 0,
    Send = 1,
    Receive = 2,
    PersistentSend = 3,
    PersistentReceive = 4,
    PersistentCollective = 5,
    PartitionedSend,
    PartitionedReceive,
    Collective,
    Probed,  ///< a message that a matched probe has taken (NOTE-R1 of mpir_request.h)
    Other
};

/// What the device says that a request is for.
enum class RequestType : std::uint8_t {
    Other,  ///< nothing of the user: RMA, the device's own packets
    Receive,
    Send,
    ReadySend,
    SynchronousSend,
    BufferedSend,
    AnySend  ///< of a mode that the device does not keep
};

/// What device ch4 uses a request for, which tells the fields that it has set.
enum class RequestWay : std::uint8_t {
    Common,  ///< ch3: always the same fields
    ActiveMessage,
    Self,    ///< on a communicator of one process
    Native,  ///< by the network module's library
    Persistent,
    Partitioned
};

/// No context id is that large.
inline constexpr std::uint32_t kUnknownContext = UINT32_MAX;

/// One request. Fields of the device hold what was there before where MPICH does
/// not set them; comments say for which requests they mean something.
struct Request {
    std::uint64_t address = 0;
    std::uint64_t next = 0;  ///< in the posted or unexpected list
    std::uint64_t comm = 0;  ///< 0: unexpected message, or internal to the device
    std::uint64_t cc_ptr = 0;
    std::uint64_t buffer = 0;     ///< of the user; not for unexpected messages
    std::int64_t count = -1;      ///< of the datatype, likewise
    std::uint64_t temporary = 0;  ///< dev.tmpbuf: eager unexpected messages
    /// Of messages that have arrived; of collectives, where a recorder says it.
    std::int64_t message_bytes = -1;
    /// Persistent requests: the request that carries the transfer, 0 if inactive.
    std::uint64_t real_request = 0;
    /// Sends, persistent ones too, and receives: their entry in the list that MPICH keeps
    /// for debuggers, 0 if none.
    std::uint64_t debug_entry = 0;
    std::uint64_t partner = 0;    ///< ch4: the other half of a receive from any source
    std::uint64_t extension = 0;  ///< ch4: MPIDIG_req_ext_t of an active message
    /// ch3: the MPIDI_RMA_Target that a part of a one-sided operation goes to, and the handle
    /// of the request that the user has of it (MPI_Rput), 0 if none.
    std::uint64_t rma_target = 0;
    std::uint32_t rma_request = 0;
    std::uint32_t handle = 0;
    std::int32_t cc = 1;
    std::int32_t tag = 0;   ///< kUndefined if the device does not keep it; rank likewise
    std::int32_t rank = 0;  ///< MPI_ANY_SOURCE and MPI_PROC_NULL as MPICH has them
    std::uint32_t context = 0;
    std::uint32_t datatype = 0;
    RequestKind kind = RequestKind::Undefined;
    RequestType type = RequestType::Other;
    std::uint8_t protocol = mqs_protocol_unknown;  ///< mqs_protocol, as far as the device marks it
    bool synchronous = false;      ///< messages that have arrived: the sender waits for the match
    std::int32_t source = -1;      ///< status.MPI_SOURCE, of messages that have arrived
    std::int32_t source_tag = -1;  ///< status.MPI_TAG
    std::uint32_t persistent = IndexMap::kMissing;  ///< index of the persistent request
    /// Index of the request of the operation that this is a part of (MPI_Isendrecv).
    std::uint32_t part_of = IndexMap::kMissing;
    std::uint32_t function = 0;  ///< of a recorder: number in FunctionNames
    bool cancelled = false;      ///< the status says so; once complete
    bool listed = false;         ///< in a queue already
    bool from_packet = false;    ///< see waiting_packets.h
    RequestWay way = RequestWay::Common;
    bool is_local = false;        ///< ch4: the peer, or half of a receive, in shared memory
    bool active = false;          ///< partitioned requests: started, and not yet waited for
    std::int32_t partitions = 0;  ///< of a partitioned request

    /// ch4: the half of a receive from any source that the user does not know.
    bool is_networks_half() const { return partner != 0 && !is_local; }
};
static_assert(sizeof(Request) <= 192);

/// Requests by address and index. Holds the live requests of the pools after
/// load, and those that were read singly.
class RequestTable {
public:
    static constexpr std::uint32_t kMissing = IndexMap::kMissing;

    /// Reads the pools. Without the types for it NoInformation; a failure keeps
    /// what was read before it. The communicators are borrowed, and complete.
    Status load(const Target& target,
                const Layout& layout,
                const Symbols& symbols,
                const CommunicatorTable& communicators,
                NativeMessages native);

    std::size_t size() const { return requests_.size(); }
    Request& operator[](std::size_t index) { return requests_[index]; }
    const Request& operator[](std::size_t index) const { return requests_[index]; }
    std::uint32_t find(std::uint64_t address) const { return by_address_.find(address); }
    /// Reads the request singly if it is not there. `way`: what the list that it is in
    /// says of it; a request that was taken for something else is read again.
    Status find_or_read(const Target& target,
                        std::uint64_t address,
                        RequestWay way,
                        std::uint32_t& index);

    /// Adds one that a recorder tells of; it has no address.
    Status add_recorded(const Request& request, bool persistent, std::uint32_t& index);

    /// Whether the operation is incomplete: its completion counter, which may be
    /// another request's, is not 0.
    Status is_pending(const Target& target, const Request& request, bool& pending) const;

private:
    Status add(const Target& target,
               std::uint64_t address,
               const unsigned char* bytes,
               RequestWay way);
    Request decode(const Target& target,
                   std::uint64_t address,
                   const unsigned char* bytes,
                   RequestWay way) const;
    Status load_pool(const Target& target, const unsigned char* header, IndexMap& blocks);
    void link_persistent();

    Layout layout_;
    const CommunicatorTable* communicators_ = nullptr;
    NativeMessages native_ = NativeMessages::None;
    int bytes_needed_ = 0;  ///< of an MPIR_Request
    std::uint64_t objects_visited_ = 0;
    Array<Request> requests_;
    IndexMap by_address_;
};

}  // namespace mqinspect::dll
