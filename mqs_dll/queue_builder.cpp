#include "mqs_dll/queue_builder.h"

#include <initializer_list>

#include "mqs_dll/collectives.h"
#include "mqs_dll/placement.h"

namespace mqinspect::dll {
namespace {

std::uint8_t send_kind(RequestType type) {
    switch (type) {
        case RequestType::Send:
            return mqs_op_send;
        case RequestType::ReadySend:
            return mqs_op_ready_send;
        case RequestType::SynchronousSend:
            return mqs_op_synchronous_send;
        case RequestType::BufferedSend:
            return mqs_op_buffered_send;
        case RequestType::Receive:
        case RequestType::AnySend:
        case RequestType::Other:
            break;
    }
    return mqs_op_unknown;
}

}  // namespace

QueueBuilder::QueueBuilder(const Target& target,
                           const Layout& layout,
                           const Symbols& symbols,
                           Snapshot& snapshot,
                           bool has_pool)
    : target_(target),
      layout_(layout),
      symbols_(symbols),
      snapshot_(snapshot),
      has_pool_(has_pool) {
    find_buffered();
}

/// ch3 marks messages to itself, rendezvous unless MPI_Send started it (mpid_send.c), and
/// of the eager ones only some. So a blocking send without a mark may be either, unless it
/// is a packet that waits for room.
std::uint8_t QueueBuilder::send_protocol_of(const Request& request, bool blocking) const {
    if (request.protocol != mqs_protocol_unknown || layout_.dev_state < 0) {
        return request.protocol;
    }
    const bool either = blocking && !request.from_packet;
    return either ? std::uint8_t{mqs_protocol_unknown} : std::uint8_t{mqs_protocol_eager};
}

Status QueueBuilder::add_receive(OperationQueue& queue, std::uint32_t index, int status) {
    correct_envelope(snapshot_.requests[index]);
    const Request& request = snapshot_.requests[index];
    Placement placement = place(snapshot_, request, true);
    if (!placement.found) return Status::Ok;
    Operation& operation = placement.operation;
    // A collective operation's finished parts are of no concern to the user.
    if (operation.collective && status == mqs_st_complete) return Status::Ok;
    const Status learned = snapshot_.datatypes.learn(target_, request.datatype);
    if (!ok(learned)) return learned;
    operation.request = index;
    operation.status = static_cast<std::uint8_t>(status);
    operation.kind = mqs_op_receive;
    operation.cancelled = status == mqs_st_complete && request.cancelled;
    // A cancelled receive has met no message.
    if (status != mqs_st_pending && !operation.cancelled) {
        operation.protocol = request.protocol;
    }
    return queue.add(operation) ? Status::Ok : Status::OutOfMemory;
}

Status QueueBuilder::add_message(OperationQueue& queue, std::uint32_t index, int status) {
    correct_envelope(snapshot_.requests[index]);
    const Request& request = snapshot_.requests[index];
    Placement placement = place(snapshot_, request, true);
    // For a communicator that this process has not made yet.
    if (!placement.found) return Status::Ok;
    Operation& operation = placement.operation;
    operation.request = index;
    operation.kind = mqs_op_receive;
    operation.protocol = request.protocol;
    operation.synchronous = request.synchronous;
    operation.status = static_cast<std::uint8_t>(status);
    return queue.add(operation) ? Status::Ok : Status::OutOfMemory;
}

Status QueueBuilder::add_probed_messages(OperationQueue& queue) {
    RequestTable& requests = snapshot_.requests;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        Request& request = requests[i];
        if (request.kind != RequestKind::Probed || request.listed) continue;
        request.listed = true;
        const Status status = add_message(queue, static_cast<std::uint32_t>(i), mqs_st_matched);
        if (!ok(status)) return status;
    }
    return Status::Ok;
}

Status QueueBuilder::add_matched_receives(OperationQueue& queue) {
    RequestTable& requests = snapshot_.requests;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        Request& request = requests[i];
        if (request.kind != RequestKind::Receive || request.listed || request.comm == 0 ||
            request.type != RequestType::Receive) {
            continue;
        }
        bool pending = false;
        Status status = requests.is_pending(target_, request, pending);
        if (!ok(status)) return status;
        request.listed = true;
        status = add_receive(
            queue, static_cast<std::uint32_t>(i), pending ? mqs_st_matched : mqs_st_complete);
        if (!ok(status)) return status;
    }
    return Status::Ok;
}

void QueueBuilder::find_buffered() {
    if (symbols_.bsend_buffer == 0 || layout_.bsend_buffer < 0 || layout_.bsend_buffer_size < 0) {
        return;
    }
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
    const auto at = [&](int offset) {
        return symbols_.bsend_buffer + static_cast<std::uint64_t>(offset);
    };
    if (ok(target_.read_pointer(at(layout_.bsend_buffer), begin)) &&
        ok(target_.read_pointer(at(layout_.bsend_buffer_size), size)) && begin != 0 &&
        size <= UINT64_MAX - begin) {
        bsend_begin_ = begin;
        bsend_end_ = begin + size;
    }
}

bool QueueBuilder::is_buffered(const Request& request) const {
    return request.buffer >= bsend_begin_ && request.buffer < bsend_end_;
}

Status QueueBuilder::add_send(OperationQueue& queue, std::uint32_t index) {
    RequestTable& requests = snapshot_.requests;
    Request& request = requests[index];
    request.listed = true;
    const bool persistent = request.persistent != RequestTable::kMissing;
    const Request& user = persistent ? requests[request.persistent] : request;
    bool pending = false;
    Status status = requests.is_pending(target_, user, pending);
    if (!ok(status)) return status;
    Placement placement = place(snapshot_, request, false);
    if (!placement.found) return Status::Ok;
    Operation& operation = placement.operation;
    const bool buffered = is_buffered(request);
    const bool in_list = request.debug_entry != 0;
    operation.nonblocking = !persistent && in_list && !layout_.lists_blocking_sends();
    // ch4 does not tell a blocking send from a part of a blocking collective call, but its
    // list has all that are nonblocking.
    operation.blocking = layout_.device == Device::Ch4 && layout_.sendq.exists() &&
                         !layout_.lists_blocking_sends() && !persistent && !buffered && !in_list;
    // Of ch4 only the list has the tag of a send, and it has the tags of all.
    operation.perhaps_collective =
        in_list && !operation.collective && layout_.device != Device::Ch3 &&
        layout_.lists_blocking_sends() &&
        is_collective_tag(snapshot_.communicators[operation.communicator], operation.tag);
    // Complete and not waited for: only what the user started with a nonblocking call. Where
    // there is no list of those, a send that MPI keeps for itself is taken for one.
    const bool waited_for = persistent || in_list || !layout_.send_list().exists();
    if (!pending && (operation.collective || (buffered && !persistent) || !waited_for)) {
        return Status::Ok;
    }
    status = snapshot_.datatypes.learn(target_, request.datatype);
    if (!ok(status)) return status;
    operation.request = index;
    operation.status = pending ? mqs_st_pending : mqs_st_complete;
    operation.cancelled = !pending && request.cancelled;
    operation.kind =
        buffered ? static_cast<std::uint8_t>(mqs_op_buffered_send) : send_kind(user.type);
    operation.protocol = send_protocol_of(request, !persistent && !operation.nonblocking);
    return queue.add(operation) ? Status::Ok : Status::OutOfMemory;
}

/// kMissing if the entry is nobody's.
Status QueueBuilder::find_request(const DebugEntry& entry, std::uint32_t& request) {
    request = snapshot_.requests.find(entry.request);
    if (request != RequestTable::kMissing || has_pool_) return Status::Ok;
    return snapshot_.requests.find_or_read(target_, entry.request, RequestWay::Common, request);
}

/// Unless the fields of the request say it: ch3 fills them for whatever has a communicator.
void QueueBuilder::take_envelope(const DebugEntry& entry, Request& request) const {
    const bool says_itself =
        layout_.device == Device::Ch3 && (request.comm != 0 || request.from_packet);
    if (request.from_packet) request.buffer = entry.buffer;
    if (!entry.has_envelope || says_itself) return;
    request.tag = entry.tag;
    request.rank = entry.rank;
    request.context = entry.context;
    if (!layout_.debugq.exists()) return;
    request.buffer = entry.buffer;
    request.count = entry.count;
    if (request.comm != 0) return;
    // The entry has the id to receive with, even of a send. Nothing says of which datatype.
    request.datatype = 0;
    const std::uint32_t communicator = snapshot_.communicators.receiving(entry.context);
    if (communicator != CommunicatorTable::kMissing) {
        request.comm = snapshot_.communicators[communicator].address;
    }
}

Status QueueBuilder::learn_envelopes() {
    for (const std::uint64_t head : {symbols_.recvq_head, symbols_.unexpq_head}) {
        const Status status = read_debug_list(target_, layout_.debugq, head, known_);
        if (status == Status::OutOfMemory) return status;
    }
    for (std::uint32_t i = 0; i < known_.size(); ++i) {
        if (!known_by_request_.insert(known_[i].request, i)) return Status::OutOfMemory;
    }
    return Status::Ok;
}

/// An active message of ch4 kept source, context id and tag one after another until MPICH
/// 4.2, and keeps the context id alone since, in the place of the source. Nothing else tells
/// the two apart than that the entry for debuggers agrees with one of them. libfabric's
/// receives keep the context id only. The entry itself lacks the bit of collectives.
void QueueBuilder::correct_envelope(Request& request) const {
    const std::uint32_t index = known_by_request_.find(request.address);
    if (index == IndexMap::kMissing || !known_[index].has_envelope) return;
    const DebugEntry& entry = known_[index];
    const auto agrees = [&](std::uint32_t context) {
        return ((context ^ entry.context) & ~1U) == 0;
    };
    const bool waits = request.cc != 0;
    if (request.rank != entry.rank || request.tag != entry.tag || !agrees(request.context)) {
        const auto moved = static_cast<std::uint32_t>(request.rank);
        if (request.way == RequestWay::ActiveMessage && agrees(moved)) {
            request.context = moved;
        } else if (!agrees(request.context)) {
            request.context = entry.context;
        }
        request.rank = entry.rank;
        request.tag = entry.tag;
    }
    if (!waits) return;
    request.source = entry.rank;
    request.source_tag = entry.tag;
}

Status QueueBuilder::find_send(const DebugEntry& entry, std::uint32_t& request) {
    const Status status = find_request(entry, request);
    if (!ok(status) || request == RequestTable::kMissing) return status;
    RequestTable& requests = snapshot_.requests;
    // Where the debugger does not know the way back, the list is taken at its word.
    if (layout_.debug_entry_offset() < 0) requests[request].debug_entry = entry.address;
    // MPICH forgets to remove the entries of freed persistent requests; their place may
    // be another request's by now, which then does not point back.
    if (has_pool_ && requests[request].debug_entry != entry.address) {
        request = RequestTable::kMissing;
        return Status::Ok;
    }
    if (has_pool_ && requests[request].kind == RequestKind::PersistentSend) {
        request = requests[request].real_request == 0
                      ? RequestTable::kMissing
                      : requests.find(requests[request].real_request);
        return Status::Ok;
    }
    take_envelope(entry, requests[request]);
    return Status::Ok;
}

Status QueueBuilder::add_listed_receives(OperationQueue& queue, RequestWay way) {
    Array<DebugEntry> entries;
    const Status status = read_debug_list(target_, layout_.debugq, symbols_.recvq_head, entries);
    if (status == Status::OutOfMemory) return status;
    for (const DebugEntry& entry : entries) {
        std::uint32_t index = RequestTable::kMissing;
        Status added = find_request(entry, index);
        if (!ok(added)) return added;
        if (index == RequestTable::kMissing || snapshot_.requests[index].listed) continue;
        Request& request = snapshot_.requests[index];
        if (way != RequestWay::Common && request.way != way) continue;
        if (layout_.request_recv >= 0 && request.debug_entry != entry.address) continue;
        request.listed = true;
        take_envelope(entry, request);
        bool pending = false;
        added = snapshot_.requests.is_pending(target_, request, pending);
        if (ok(added)) {
            added = add_receive(queue, index, pending ? mqs_st_pending : mqs_st_complete);
        }
        if (!ok(added)) return added;
    }
    return status;
}

Status QueueBuilder::add_listed_messages(OperationQueue& queue) {
    Array<DebugEntry> entries;
    const Status status = read_debug_list(target_, layout_.debugq, symbols_.unexpq_head, entries);
    if (status == Status::OutOfMemory) return status;
    for (const DebugEntry& entry : entries) {
        std::uint32_t index = RequestTable::kMissing;
        Status added = find_request(entry, index);
        if (!ok(added)) return added;
        if (index == RequestTable::kMissing || snapshot_.requests[index].listed) continue;
        Request& request = snapshot_.requests[index];
        request.listed = true;
        take_envelope(entry, request);
        // Not every device has the length of a message in its status.
        if (layout_.device == Device::Unknown) request.message_bytes = -1;
        added = add_message(queue, index);
        if (!ok(added)) return added;
    }
    return status;
}

Status QueueBuilder::add_send_list(OperationQueue& queue) {
    Array<DebugEntry> entries;
    const Status status =
        read_debug_list(target_, layout_.send_list(), symbols_.sendq_head, entries);
    if (status == Status::OutOfMemory) return status;
    for (const DebugEntry& entry : entries) {
        std::uint32_t request = RequestTable::kMissing;
        Status added = find_send(entry, request);
        if (ok(added) && request != RequestTable::kMissing && !snapshot_.requests[request].listed) {
            added = add_send(queue, request);
        }
        if (!ok(added)) return added;
    }
    return status;
}

Status QueueBuilder::read_lists() {
    OperationQueue& receives = snapshot_.queues[mqs_pending_receives];
    receives.status = add_listed_receives(receives);
    OperationQueue& sends = snapshot_.queues[mqs_pending_sends];
    sends.status = add_send_list(sends);
    OperationQueue& messages = snapshot_.queues[mqs_unexpected_messages];
    messages.status = add_listed_messages(messages);
    // Messages that a network library holds are in no list; ch3 has none of that kind.
    if (symbols_.posted_head != 0) return Status::Ok;
    const std::size_t communicators = snapshot_.communicators.size();
    for (std::size_t i = 0; i < communicators; ++i) {
        if (!messages.hide(i, communicators)) return Status::OutOfMemory;
    }
    return Status::Ok;
}

Status QueueBuilder::add_pool_sends(OperationQueue& queue, bool plain) {
    RequestTable& requests = snapshot_.requests;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const Request& request = requests[i];
        // Requests of the device's own packets have no communicator.
        if (request.kind != RequestKind::Send || request.listed || request.comm == 0 ||
            request.type == RequestType::Other || request.type == RequestType::Receive) {
            continue;
        }
        const bool is_plain = request.persistent == RequestTable::kMissing && !is_buffered(request);
        if (is_plain != plain) continue;
        const Status status = add_send(queue, static_cast<std::uint32_t>(i));
        if (!ok(status)) return status;
    }
    return Status::Ok;
}

}  // namespace mqinspect::dll
