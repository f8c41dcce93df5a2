/// What the walkers of all devices share: from requests to operations in the queues.
///
/// Sends are in no list of a device. What there is: the debugger's list (MPIR_Sendq,
/// dbginit.c) of those that were started with MPI_Isend, Issend and Irsend or made with
/// MPI_Send_init and Bsend_init, newest first; and the request pool, which holds every
/// send but says nothing of age: a freed place is used again. So sends that MPICH's send
/// list does not hold follow those that it holds: first those of the list, oldest first,
/// a persistent send at the age of its creation; then buffered and persistent ones that
/// are not in it (MPI_Bsend, Ibsend, Ssend_init, Rsend_init), in the order of the pool,
/// even where they are older than one of the list; then the rest, where a blocking send
/// is found, which is younger than whatever its thread started before.
#pragma once

#include <cstdint>

#include "mqs_dll/debug_queue.h"
#include "mqs_dll/layout.h"
#include "mqs_dll/operations.h"
#include "mqs_dll/requests.h"
#include "mqs_dll/snapshot.h"
#include "mqs_dll/status.h"
#include "mqs_dll/symbols.h"
#include "mqs_dll/target.h"

namespace mqinspect::dll {

class QueueBuilder {
public:
    /// Everything is borrowed. The communicators of the snapshot are complete.
    /// `has_pool`: the request pool can be read, whether or not it was.
    QueueBuilder(const Target& target,
                 const Layout& layout,
                 const Symbols& symbols,
                 Snapshot& snapshot,
                 bool has_pool);

    /// Calls visit(index) for each request of a list of requests of one way and kind. A
    /// request that is in a list already, or of another kind, is CorruptData.
    template <class Visit>
    Status walk(std::uint64_t first, RequestWay way, RequestKind kind, Visit&& visit);

    /// For devices whose requests do not say all of their envelope: reads what MPICH keeps
    /// for debuggers, if it does, and has add_receive and add_message correct requests by it.
    /// OutOfMemory is the only failure.
    Status learn_envelopes();

    Status add_receive(OperationQueue& queue, std::uint32_t index, int status);
    /// `status`: matched for one that a matched probe has taken.
    Status add_message(OperationQueue& queue, std::uint32_t index, int status = mqs_st_pending);
    /// Messages that matched probes have taken and nobody has received.
    Status add_probed_messages(OperationQueue& queue);
    /// The request must not be listed yet; inactive and finished internal ones are
    /// passed over.
    Status add_send(OperationQueue& queue, std::uint32_t index);

    /// Receives that have left the list: their message is here, or on its way.
    Status add_matched_receives(OperationQueue& queue);
    /// Those of the debugger's list; NoInformation if MPICH keeps none.
    Status add_send_list(OperationQueue& queue);
    /// Receives of MPICH's list for debuggers that are in no queue yet; NoInformation if
    /// MPICH keeps none. Whether one of them is matched is not known before it is complete.
    /// Of all ways for Common, else of one.
    Status add_listed_receives(OperationQueue& queue, RequestWay way = RequestWay::Common);
    /// The same of unexpected messages.
    Status add_listed_messages(OperationQueue& queue);
    /// All that MPICH's lists for debuggers hold, where nothing else can be read.
    Status read_lists();
    /// Those of the pool. `plain` false: buffered and persistent ones; true: the others.
    Status add_pool_sends(OperationQueue& queue, bool plain);

private:
    Status find_request(const DebugEntry& entry, std::uint32_t& request);
    Status find_send(const DebugEntry& entry, std::uint32_t& request);
    void take_envelope(const DebugEntry& entry, Request& request) const;
    void correct_envelope(Request& request) const;
    void find_buffered();
    bool is_buffered(const Request& request) const;
    std::uint8_t send_protocol_of(const Request& request, bool blocking) const;

    const Target& target_;
    const Layout& layout_;
    const Symbols& symbols_;
    Snapshot& snapshot_;
    bool has_pool_;
    Array<DebugEntry> known_;  ///< see learn_envelopes
    IndexMap known_by_request_;
    std::uint64_t bsend_begin_ = 0;
    std::uint64_t bsend_end_ = 0;
};

template <class Visit>
Status QueueBuilder::walk(std::uint64_t first, RequestWay way, RequestKind kind, Visit&& visit) {
    for (std::uint64_t next = first; next != 0;) {
        std::uint32_t index = 0;
        Status status = snapshot_.requests.find_or_read(target_, next, way, index);
        if (!ok(status)) return status;
        Request& request = snapshot_.requests[index];
        const bool is_expected = layout_.request_kind < 0 || request.kind == kind;
        // Twice in the lists: a loop, or two lists that run into each other.
        if (request.listed || !is_expected) return Status::CorruptData;
        request.listed = true;
        next = request.next;
        status = visit(index);
        if (!ok(status)) return status;
    }
    return Status::Ok;
}

}  // namespace mqinspect::dll
