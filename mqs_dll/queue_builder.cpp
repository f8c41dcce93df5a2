#include "mqs_dll/queue_builder.h"

#include <algorithm>
#include <initializer_list>

#include "mqs_dll/placement.h"

namespace mqinspect::dll {
namespace {

constexpr std::size_t kMostListEntries = std::size_t{1} << 22;

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

Status QueueBuilder::add_message(OperationQueue& queue, std::uint32_t index) {
    const Request& request = snapshot_.requests[index];
    Placement placement = place(snapshot_, request, true);
    // For a communicator that this process has not made yet.
    if (!placement.found) return Status::Ok;
    Operation& operation = placement.operation;
    operation.request = index;
    operation.kind = mqs_op_receive;
    operation.protocol = request.protocol;
    operation.synchronous = request.synchronous;
    return queue.add(operation) ? Status::Ok : Status::OutOfMemory;
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
        buffered ? static_cast<std::uint8_t>(mqs_op_buffered_send) : send_kind(user.type);
    operation.protocol = send_protocol_of(request, !persistent && !operation.nonblocking);
    return queue.add(operation) ? Status::Ok : Status::OutOfMemory;
}

Status QueueBuilder::read_send_entry(std::uint64_t entry,
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

Status QueueBuilder::add_send_list(OperationQueue& queue) {
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

Status QueueBuilder::add_pool_sends(OperationQueue& queue, bool plain) {
    RequestTable& requests = snapshot_.requests;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const Request& request = requests[i];
        // Requests of the device's own packets have no communicator.
        if (request.kind != RequestKind::Send || request.listed || request.comm == 0 ||
            send_kind(request.type) == mqs_op_unknown) {
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
