#include "mqs_dll/ch3_queues.h"

#include "mqs_dll/waiting_packets.h"

namespace mqinspect::dll {

Ch3Queues::Ch3Queues(const Target& target,
                     const Layout& layout,
                     const Symbols& symbols,
                     Snapshot& snapshot,
                     Status pools)
    : target_(target),
      layout_(layout),
      symbols_(symbols),
      snapshot_(snapshot),
      pools_(pools),
      has_pool_(pools != Status::NoInformation && layout.dev_state >= 0 &&
                layout.request_comm >= 0),
      builder_(target, layout, symbols, snapshot, has_pool_) {}

void Ch3Queues::read() {
    OperationQueue& unexpected = snapshot_.queues[mqs_unexpected_messages];
    unexpected.status = read_unexpected(unexpected);
    if (ok(unexpected.status) && has_pool_) {
        unexpected.status = ok(pools_) ? builder_.add_probed_messages(unexpected) : pools_;
    }

    OperationQueue& receives = snapshot_.queues[mqs_pending_receives];
    receives.status = read_receives(receives);

    OperationQueue& sends = snapshot_.queues[mqs_pending_sends];
    sends.status = read_sends(sends);
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

Status Ch3Queues::read_posted(OperationQueue& queue) {
    std::uint64_t first = 0;
    const Status status = list_head(symbols_.posted_head, symbols_.posted_head_ptr, first);
    if (!ok(status)) return status;
    return builder_.walk(first, RequestWay::Common, RequestKind::Receive, [&](std::uint32_t index) {
        return builder_.add_receive(queue, index, mqs_st_pending);
    });
}

Status Ch3Queues::read_receives(OperationQueue& queue) {
    const Status status = read_posted(queue);
    if (!ok(status)) return status;
    if (has_pool_) return ok(pools_) ? builder_.add_matched_receives(queue) : pools_;
    // What is in no list of ch3 may still be in that for debuggers.
    const Status listed = builder_.add_listed_receives(queue);
    return listed == Status::NoInformation ? Status::Ok : listed;
}

Status Ch3Queues::read_unexpected(OperationQueue& queue) {
    std::uint64_t first = 0;
    const Status status = list_head(symbols_.unexpected_head, symbols_.unexpected_head_ptr, first);
    if (!ok(status)) return status;
    return builder_.walk(first, RequestWay::Common, RequestKind::Receive, [&](std::uint32_t index) {
        return builder_.add_message(queue, index);
    });
}

Status Ch3Queues::read_sends(OperationQueue& queue) {
    const Status packets = has_pool_ ? find_packets() : Status::Ok;
    if (!ok(packets)) return packets;
    Status status = builder_.add_send_list(queue);
    if (!has_pool_) return status;
    if (status == Status::NoInformation) status = pools_;
    for (const bool plain : {false, true}) {
        if (ok(status)) status = builder_.add_pool_sends(queue, plain);
    }
    if (ok(status)) status = add_packets(queue);
    return ok(status) ? pools_ : status;
}

/// Sends without a request of their own; see waiting_packets.h.
Status Ch3Queues::find_packets() {
    RequestTable& requests = snapshot_.requests;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        Request& request = requests[i];
        if (request.kind != RequestKind::Send || request.listed || request.comm != 0 ||
            request.cc == 0) {
            continue;
        }
        const Status status =
            read_waiting_packet(target_, layout_, snapshot_.communicators, request);
        if (!ok(status)) return status;
    }
    return Status::Ok;
}

Status Ch3Queues::add_packets(OperationQueue& queue) {
    const RequestTable& requests = snapshot_.requests;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (!requests[i].from_packet || requests[i].listed) continue;
        const Status status = builder_.add_send(queue, static_cast<std::uint32_t>(i));
        if (!ok(status)) return status;
    }
    return Status::Ok;
}

}  // namespace mqinspect::dll
