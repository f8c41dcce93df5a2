/// Requests and matched messages: numbers that no other request of the process has had.
///
/// MPI libraries use their handles again, and give one handle to all requests that were complete at
/// once. Those are told apart by the variable that the program keeps the handle in; of copies each
/// stands for another one of them, the oldest first.
#pragma once

#include <cstddef>
#include <cstdint>

#include <mpi.h>

#include "include/pending_operations.h"

#include "tracer/handles/communicators.h"
#include "tracer/handles/datatypes.h"

namespace mqinspect::tracer {

/// What a call starts: a request, or the transfer of a blocking call.
struct NewOperation {
    pending::Kind kind = pending::Kind::Other;
    bool persistent = false;
    const char* function = nullptr;
    CommunicatorInfo* communicator = nullptr;
    const void* buffer = nullptr;
    std::int64_t count = 0;  ///< of collective operations the bytes, see pending::Operation
    const DatatypeInfo* datatype = nullptr;
    std::uint64_t datatype_handle = 0;
    int peer = 0;
    int tag = 0;
    pending::Envelope received = {};  ///< of MPI_Isendrecv
    std::int32_t partitions = 0;      ///< with `count` elements each; 0: it has none
};

inline pending::Envelope received(
    int source, int tag, std::int64_t count, MPI_Datatype type, const DatatypeInfo* known) {
    return {source, tag, count, handle_bits(type), known == nullptr ? -1 : known->size};
}

/// What debuggers see of it. `sequence`: of a collective operation.
inline void describe(const NewOperation& from, pending::Operation& to) {
    to.communicator = from.communicator == nullptr ? 0 : from.communicator->shown.handle;
    to.datatype = from.datatype_handle;
    to.buffer = reinterpret_cast<std::uint64_t>(from.buffer);
    to.count = from.count;
    to.element_bytes = from.datatype == nullptr ? -1 : from.datatype->size;
    to.function = reinterpret_cast<std::uint64_t>(from.function);
    to.peer = from.peer;
    to.tag = from.tag;
}

/// A request, as debuggers see it, and what the recorder knows of it in addition.
struct RequestInfo : pending::Request {
    const DatatypeInfo* datatype = nullptr;
    CommunicatorInfo* communicator = nullptr;
    bool told = false;   ///< that it is complete
    bool taken = false;  ///< while the requests of a call are looked up: it is one of them
    std::int32_t partitions = 0;

    const void* buffer() const {
        // NOLINTNEXTLINE(performance-no-int-to-ptr): for debuggers addresses are numbers
        return reinterpret_cast<const void*>(operation.buffer);
    }
};

/// Gives the request at `place` a number, and returns it.
std::int64_t request_started(const NewOperation& operation, const MPI_Request* place);
/// The same of a send or a receive that is neither persistent nor partitioned; its parts one by
/// one, which stay in registers.
std::int64_t transfer_started(pending::Kind kind,
                              const char* function,
                              CommunicatorInfo* communicator,
                              const void* buffer,
                              std::int64_t count,
                              const DatatypeInfo* datatype,
                              std::uint64_t datatype_handle,
                              int peer,
                              int tag,
                              const MPI_Request* place);
/// MPI_Start has started it once more.
void request_started_again(MPI_Request request, const MPI_Request* place);

/// These partitions of a send are MPI's from now on.
void partitions_ready(MPI_Request request, std::int64_t low, std::int64_t high);
void partitions_ready(MPI_Request request, const int* partitions, std::int64_t count);
/// One of a receive has arrived: nothing more is watched.
void partition_arrived(MPI_Request request);

/// MPI_Request_get_status has said that it is complete: its buffer is the program's again.
void request_told(MPI_Request request);

/// `place`: where the program keeps the handle; null: elsewhere.
std::int64_t request_id(MPI_Request request, const MPI_Request* place);
/// False: unknown.
bool request_info(MPI_Request request, const MPI_Request* place, RequestInfo& info);
/// The handle is no more.
void request_ended(std::int64_t id, MPI_Request request);

/// A request that a call was given, as far as its completion needs it.
struct GivenRequest {
    std::int64_t id;  ///< kNullHandle or kInvalidHandle: not known
    MPI_Request handle;
    bool known;
    bool completed;  ///< the call says so
    bool told;       ///< an earlier one has said so
    // Of known ones:
    bool persistent;
    bool active;
    pending::Kind kind;
    int peer;
    int tag;
    std::int64_t count;
    const void* buffer;
    const DatatypeInfo* datatype;
    CommunicatorInfo* communicator;
    std::size_t place;  ///< where its entry was, for end_requests()
    /// Of the requests that the call completes, in their order, in the first elements: the
    /// caller's.
    std::int64_t checksum;
};

/// All requests of a call at a time.
void look_up_requests(const MPI_Request* requests, std::size_t count, GivenRequest* given);
/// After the call: those whose handles have become null are no more, also by an error; persistent
/// ones that are completed are not active any more. Returns how many are no more.
std::size_t end_requests(const MPI_Request* requests, std::size_t count, const GivenRequest* given);

/// A matched probe has found it.
void message_matched(MPI_Message message,
                     CommunicatorInfo* communicator,
                     const MPI_Status& status,
                     std::int64_t bytes);
/// Where it comes from; without a communicator: unknown.
NewOperation message_origin(MPI_Message message);
std::int64_t message_id(MPI_Message message);
/// A call is about to receive it: the next message may have its handle before the call returns, in
/// another thread.
void message_taken(MPI_Message message);

}  // namespace mqinspect::tracer
