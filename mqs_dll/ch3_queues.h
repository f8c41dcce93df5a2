/// The point-to-point queues of MPICH's device ch3.
///
/// Posted receives and unexpected messages are linked lists of requests (ch3u_recvq.c)
/// in the order of matching. Sends: queue_builder.h, and those that wait for room in the
/// transport (waiting_packets.h).
///
/// A cancelled receive leaves the list of posted ones complete, without source and
/// tag in its status; the request keeps the envelope that the user asked for.
///
/// A rendezvous send stays pending until it completes: ch3 keeps no mark of the
/// receiver's clear-to-send in the request.
#pragma once

#include "mqs_dll/layout.h"
#include "mqs_dll/queue_builder.h"
#include "mqs_dll/snapshot.h"
#include "mqs_dll/status.h"
#include "mqs_dll/symbols.h"
#include "mqs_dll/target.h"

namespace mqinspect::dll {

class Ch3Queues {
public:
    /// Everything is borrowed. The communicators of the snapshot are complete.
    /// `pools`: how reading the request pool went.
    Ch3Queues(const Target& target,
              const Layout& layout,
              const Symbols& symbols,
              Snapshot& snapshot,
              Status pools);

    /// Fills the queues of sends, receives and unexpected messages.
    void read();

private:
    Status read_receives(OperationQueue& queue);
    Status read_posted(OperationQueue& queue);
    Status read_unexpected(OperationQueue& queue);
    Status read_sends(OperationQueue& queue);
    Status find_packets();
    Status add_packets(OperationQueue& queue);
    Status list_head(std::uint64_t head, std::uint64_t head_ptr, std::uint64_t& first) const;

    const Target& target_;
    const Layout& layout_;
    const Symbols& symbols_;
    Snapshot& snapshot_;
    Status pools_;
    bool has_pool_;
    QueueBuilder builder_;
};

}  // namespace mqinspect::dll
