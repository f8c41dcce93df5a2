#include "mqs_dll/ch3_queues.h"

#include <algorithm>
#include <initializer_list>

#include "mqs_dll/snapshot.h"
#include "mqs_dll/waiting_packets.h"

namespace mqinspect::dll {
namespace {

constexpr std::size_t kMostListEntries = std::size_t{1} << 22;

/// Collective operations mark their tags in the upper bits (mpir_tags.h: two for
/// errors, one for the origin of the tag).
std::int32_t plain_tag(std::int32_t tag, std::int32_t tag_bits) {
    if (tag < 0 || tag_bits < 8 || tag_bits > 31) return tag;
    return tag & ((1 << (tag_bits - 3)) - 1);
}

std::uint8_t protocol_of(const Request& request) {
    switch (request.message_type()) {
        case MessageType::Eager:
            return mqs_protocol_eager;
        case MessageType::Rendezvous:
            return mqs_protocol_rendezvous;
        case MessageType::Self:
            return mqs_protocol_self;
        case MessageType::None:
            break;
    }
    return mqs_protocol_unknown;
}

/// ch3 marks messages to itself, rendezvous unless MPI_Send started it (mpid_send.c), and
/// of the eager ones only some. So a blocking send without a mark may be either, unless it
/// is a packet that waits for room.
std::uint8_t send_protocol_of(const Request& request, bool blocking) {
    const std::uint8_t protocol = protocol_of(request);
    if (protocol != mqs_protocol_unknown) return protocol;
    const bool either = blocking && !request.from_packet;
    return either ? std::uint8_t{mqs_protocol_unknown} : std::uint8_t{mqs_protocol_eager};
}

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
            break;
    }
    return mqs_op_unknown;
}

}  // namespace

Placement place(const Snapshot& snapshot, const Request& request, bool receives) {
    const CommunicatorTable& table = snapshot.communicators;
    Placement result;
    std::uint32_t index = CommunicatorTable::kMissing;
    if (request.comm != 0) index = table.find(request.comm);
    if (index == CommunicatorTable::kMissing) {
        index = receives ? table.receiving(request.context) : table.sending(request.context);
    }
    if (index == CommunicatorTable::kMissing) return result;
    const std::uint32_t shown = snapshot.shows_internal ? index : table.parent(index);
    if (shown == CommunicatorTable::kMissing) return result;

    const Communicator& own = table[index];
    const RankMaps& ranks = table.ranks();
    Operation& operation = result.operation;
    operation.communicator = shown;
    operation.collective = own.internal || (request.context & 1) != 0;
    operation.tag = operation.collective ? plain_tag(request.tag, snapshot.tag_bits) : request.tag;
    operation.peer = request.rank == kAnySource || request.rank >= 0 ? request.rank : -1;
    operation.world_peer = ranks.world_rank(own.peers, request.rank);
    if (shown != index && request.rank >= 0) {
        operation.peer = ranks.rank_of(table[shown].peers, operation.world_peer);
    }
    result.found = true;
    return result;
}

Ch3Queues::Ch3Queues(const Target& target,
                     const Layout& layout,
                     const Symbols& symbols,
                     Snapshot& snapshot)
    : target_(target), layout_(layout), symbols_(symbols), snapshot_(snapshot) {}

void Ch3Queues::read(Status pools) {
    has_pool_ =
        pools != Status::NoInformation && layout_.dev_state >= 0 && layout_.request_comm >= 0;
    find_buffered();

    OperationQueue& unexpected = snapshot_.queues[mqs_unexpected_messages];
    unexpected.status = read_unexpected(unexpected);

    OperationQueue& receives = snapshot_.queues[mqs_pending_receives];
    receives.status = read_posted(receives);
    if (ok(receives.status) && has_pool_) {
        receives.status = ok(pools) ? read_matched(receives) : pools;
    }

    OperationQueue& sends = snapshot_.queues[mqs_pending_sends];
    Status status = read_send_list(sends);
    if (has_pool_) {
        if (status == Status::NoInformation) status = pools;
        for (const bool plain : {false, true}) {
            if (ok(status)) status = read_pool_sends(sends, plain);
        }
        if (ok(status)) status = read_packets(sends);
        if (ok(status)) status = pools;
    }
    sends.status = status;
}

Status Ch3Queues::list_head(std::uint64_t head,
                            std::uint64_t head_ptr,
                            std::uint64_t& first) const {
    if (head_ptr != 0) {
        const Status status = target_.read_pointer(head_ptr, head);
        if (!ok(status)) return status;
    }
    if (head == 0) return Status::NoInformation;
    return target_.read_pointer(head, first);
}

/// Calls visit(index) for each request of a device's list.
template <class Visit>
Status Ch3Queues::walk(std::uint64_t first, Visit&& visit) {
    for (std::uint64_t next = first; next != 0;) {
        std::uint32_t index = 0;
        Status status = snapshot_.requests.find_or_read(target_, next, index);
        if (!ok(status)) return status;
        Request& request = snapshot_.requests[index];
        const bool is_receive = layout_.request_kind < 0 || request.kind == RequestKind::Receive;
        // Twice in the lists: a loop, or two lists that run into each other.
        if (request.listed || !is_receive) return Status::CorruptData;
        request.listed = true;
        next = request.next;
        status = visit(index);
        if (!ok(status)) return status;
    }
    return Status::Ok;
}

Status Ch3Queues::add_receive(OperationQueue& queue, std::uint32_t index, int status) {
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
        operation.protocol = protocol_of(request);
    }
    return queue.add(operation) ? Status::Ok : Status::OutOfMemory;
}

Status Ch3Queues::read_posted(OperationQueue& queue) {
    std::uint64_t first = 0;
    const Status status = list_head(symbols_.posted_head, symbols_.posted_head_ptr, first);
    if (!ok(status)) return status;
    return walk(first,
                [&](std::uint32_t index) { return add_receive(queue, index, mqs_st_pending); });
}

Status Ch3Queues::add_message(OperationQueue& queue, std::uint32_t index) {
    const Request& request = snapshot_.requests[index];
    Placement placement = place(snapshot_, request, true);
    // For a communicator that this process has not made yet.
    if (!placement.found) return Status::Ok;
    Operation& operation = placement.operation;
    operation.request = index;
    operation.kind = mqs_op_receive;
    operation.protocol = protocol_of(request);
    operation.synchronous = request.synchronous_flag() ||
                            request.message_type() == MessageType::Rendezvous ||
                            request.message_type() == MessageType::Self;
    return queue.add(operation) ? Status::Ok : Status::OutOfMemory;
}

Status Ch3Queues::read_unexpected(OperationQueue& queue) {
    std::uint64_t first = 0;
    const Status status = list_head(symbols_.unexpected_head, symbols_.unexpected_head_ptr, first);
    if (!ok(status)) return status;
    return walk(first, [&](std::uint32_t index) { return add_message(queue, index); });
}

/// Receives that have left the list: their message is here, or on its way.
Status Ch3Queues::read_matched(OperationQueue& queue) {
    RequestTable& requests = snapshot_.requests;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        Request& request = requests[i];
        if (request.kind != RequestKind::Receive || request.listed || request.comm == 0 ||
            request.type() != RequestType::Receive) {
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

void Ch3Queues::find_buffered() {
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

bool Ch3Queues::is_buffered(const Request& request) const {
    return request.buffer >= bsend_begin_ && request.buffer < bsend_end_;
}

/// The request must not be listed yet; inactive and finished internal ones are passed over.
Status Ch3Queues::add_send(OperationQueue& queue, std::uint32_t index) {
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
    operation.nonblocking = !persistent && request.send_entry != 0;
    // Complete and not waited for: only what the user started with a nonblocking call. Where
    // there is no list of those, a send that MPI keeps for itself is taken for one.
    const bool waited_for = persistent || operation.nonblocking || !layout_.has_send_list;
    if (!pending && (operation.collective || (buffered && !persistent) || !waited_for)) {
        return Status::Ok;
    }
    status = snapshot_.datatypes.learn(target_, request.datatype);
    if (!ok(status)) return status;
    operation.request = index;
    operation.status = pending ? mqs_st_pending : mqs_st_complete;
    operation.cancelled = !pending && request.cancelled;
    operation.kind =
        buffered ? static_cast<std::uint8_t>(mqs_op_buffered_send) : send_kind(user.type());
    if (layout_.dev_state >= 0) {
        const bool blocking = !persistent && !operation.nonblocking;
        operation.protocol = send_protocol_of(request, blocking);
    }
    return queue.add(operation) ? Status::Ok : Status::OutOfMemory;
}

Status Ch3Queues::read_send_entry(std::uint64_t entry,
                                  std::uint64_t& next,
                                  std::uint32_t& request) {
    request = RequestTable::kMissing;
    const int extent = 8 + std::max({layout_.sendq_sreq,
                                     layout_.sendq_tag,
                                     layout_.sendq_rank,
                                     layout_.sendq_context_id,
                                     layout_.sendq_next});
    Array<unsigned char> bytes;
    Status status = target_.read(entry, static_cast<std::size_t>(extent), bytes);
    if (!ok(status)) return status;
    next = target_.pointer_at(bytes.data() + layout_.sendq_next);
    const std::uint64_t address = target_.pointer_at(bytes.data() + layout_.sendq_sreq);
    RequestTable& requests = snapshot_.requests;
    if (has_pool_) {
        // MPICH forgets to remove the entries of freed persistent requests; their place may
        // be another request's by now, which then does not point back.
        const std::uint32_t index = requests.find(address);
        if (index == RequestTable::kMissing || requests[index].send_entry != entry) {
            return Status::Ok;
        }
        request = index;
        if (requests[index].kind == RequestKind::PersistentSend) {
            request = requests[index].real_request == 0
                          ? RequestTable::kMissing
                          : requests.find(requests[index].real_request);
        }
        return Status::Ok;
    }
    status = requests.find_or_read(target_, address, request);
    if (!ok(status)) return status;
    if (layout_.sendq_tag < 0 || layout_.sendq_rank < 0 || layout_.sendq_context_id < 0) {
        return Status::Ok;
    }
    requests[request].tag = target_.int_at(bytes.data() + layout_.sendq_tag);
    requests[request].rank = target_.int_at(bytes.data() + layout_.sendq_rank);
    requests[request].context =
        static_cast<std::uint32_t>(target_.int_at(bytes.data() + layout_.sendq_context_id));
    return Status::Ok;
}

Status Ch3Queues::read_send_list(OperationQueue& queue) {
    if (symbols_.sendq_head == 0 || !layout_.has_send_list) return Status::NoInformation;
    std::uint64_t next = 0;
    Status status = target_.read_pointer(symbols_.sendq_head, next);
    Array<std::uint32_t> newest_first;
    IndexMap seen;
    while (ok(status) && next != 0) {
        if (seen.find(next) != IndexMap::kMissing || newest_first.size() >= kMostListEntries) {
            status = Status::CorruptData;
            break;
        }
        if (!seen.insert(next, 0)) return Status::OutOfMemory;
        std::uint32_t request = RequestTable::kMissing;
        status = read_send_entry(next, next, request);
        if (ok(status) && request != RequestTable::kMissing && !newest_first.push(request)) {
            return Status::OutOfMemory;
        }
    }
    for (std::size_t i = newest_first.size(); i > 0; --i) {
        const std::uint32_t index = newest_first[i - 1];
        if (snapshot_.requests[index].listed) continue;
        const Status added = add_send(queue, index);
        if (!ok(added)) return added;
    }
    return status;
}

/// `plain` false: buffered and persistent ones; true: the others.
Status Ch3Queues::read_pool_sends(OperationQueue& queue, bool plain) {
    RequestTable& requests = snapshot_.requests;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const Request& request = requests[i];
        // Requests of the device's own packets have no communicator.
        if (request.kind != RequestKind::Send || request.listed || request.comm == 0 ||
            send_kind(request.type()) == mqs_op_unknown) {
            continue;
        }
        const bool is_plain = request.persistent == RequestTable::kMissing && !is_buffered(request);
        if (is_plain != plain) continue;
        const Status status = add_send(queue, static_cast<std::uint32_t>(i));
        if (!ok(status)) return status;
    }
    return Status::Ok;
}

/// Sends without a request of their own; see waiting_packets.h.
Status Ch3Queues::read_packets(OperationQueue& queue) {
    RequestTable& requests = snapshot_.requests;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        Request& request = requests[i];
        if (request.kind != RequestKind::Send || request.listed || request.comm != 0 ||
            request.cc == 0) {
            continue;
        }
        Status status = read_waiting_packet(target_, layout_, snapshot_.communicators, request);
        if (ok(status) && request.from_packet) {
            status = add_send(queue, static_cast<std::uint32_t>(i));
        }
        if (!ok(status)) return status;
    }
    return Status::Ok;
}

}  // namespace mqinspect::dll
