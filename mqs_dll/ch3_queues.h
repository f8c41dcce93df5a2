/// The point-to-point queues of MPICH's device ch3, 3.3 to 4.0.2.
///
/// Posted receives and unexpected messages are linked lists of requests (ch3u_recvq.c)
/// in the order of matching. Sends are in no list of the device. What there is:
/// the debugger's list (MPIR_Sendq, dbginit.c) of those that were started with
/// MPI_Isend, Issend and Irsend or made with MPI_Send_init and Bsend_init, newest
/// first; and the request pool, which holds every send but says nothing of age: a
/// freed place is used again. So sends that MPICH's send list does not hold follow
/// those that it holds: first those of the list, oldest first, a persistent send
/// at the age of its creation; then buffered and persistent ones that are not in it
/// (MPI_Bsend, Ibsend, Ssend_init, Rsend_init), in the order of the pool, even where
/// they are older than one of the list; then the rest, where a blocking send is
/// found, which is younger than whatever its thread started before.
///
/// A cancelled receive leaves the list of posted ones complete, without source and
/// tag in its status; the request keeps the envelope that the user asked for.
///
/// A rendezvous send stays pending until it completes: ch3 keeps no mark of the
/// receiver's clear-to-send in the request.
#pragma once

#include "mqs_dll/layout.h"
#include "mqs_dll/operations.h"
#include "mqs_dll/status.h"
#include "mqs_dll/symbols.h"
#include "mqs_dll/target.h"

namespace mqinspect::dll {

struct Snapshot;
struct Request;

/// Where an operation belongs.
struct Placement {
    bool found = false;
    Operation operation;  ///< communicator, peer, world_peer, tag, collective
};

/// Attributes a request to the communicator that the user knows: internal traffic
/// of a collective operation to the one that it runs on, with the peer's rank in
/// it. `receives`: the request is a receive or an unexpected message.
Placement place(const Snapshot& snapshot, const Request& request, bool receives);

class Ch3Queues {
public:
    /// Everything is borrowed. The communicators of the snapshot are complete.
    Ch3Queues(const Target& target,
              const Layout& layout,
              const Symbols& symbols,
              Snapshot& snapshot);

    /// Fills the queues of sends, receives and unexpected messages. `pools`: how
    /// reading the request pool went.
    void read(Status pools);

private:
    Status read_posted(OperationQueue& queue);
    Status read_unexpected(OperationQueue& queue);
    Status read_matched(OperationQueue& queue);
    Status read_send_list(OperationQueue& queue);
    Status read_pool_sends(OperationQueue& queue, bool plain);
    Status read_packets(OperationQueue& queue);
    Status read_send_entry(std::uint64_t entry, std::uint64_t& next, std::uint32_t& request);
    Status add_send(OperationQueue& queue, std::uint32_t index);
    Status add_receive(OperationQueue& queue, std::uint32_t index, int status);
    Status add_message(OperationQueue& queue, std::uint32_t index);
    Status list_head(std::uint64_t head, std::uint64_t head_ptr, std::uint64_t& first) const;
    template <class Visit>
    Status walk(std::uint64_t first, Visit&& visit);
    void find_buffered();
    bool is_buffered(const Request& request) const;

    const Target& target_;
    const Layout& layout_;
    const Symbols& symbols_;
    Snapshot& snapshot_;
    bool has_pool_ = false;
    std::uint64_t bsend_begin_ = 0;
    std::uint64_t bsend_end_ = 0;
};

}  // namespace mqinspect::dll
