#include "mqs_dll/ch4_queues.h"

#include <algorithm>

namespace mqinspect::dll {
namespace {

// MPIDI_CH4_MAX_VCIS is 64 unless configured otherwise.
constexpr std::int32_t kMostInterfaces = 1 << 10;
constexpr std::uint64_t kPeerWaits = 1U << 1;  // MPIDIG_REQ_PEER_SSEND
// Extensions lie in pools of cells; those that are near each other are read at
// once.
constexpr std::uint64_t kBytesAtOnce = 64U << 10;

std::uint64_t at(std::uint64_t base, int offset) {
    return base + static_cast<std::uint64_t>(offset);
}

struct Extension {
    std::uint64_t address = 0;
    std::uint32_t request = 0;
};

}  // namespace

Status find_interfaces(const Target& target,
                       const Layout& layout,
                       const Symbols& symbols,
                       Array<std::uint64_t>& interfaces) {
    const Ch4Layout& ch4 = layout.ch4;
    if (symbols.ch4_global == 0 || ch4.global_n_vcis < 0 || ch4.global_per_vci < 0) {
        return Status::NoInformation;
    }
    std::int32_t count = 0;
    const Status status = target.read_int(at(symbols.ch4_global, ch4.global_n_vcis), count);
    if (!ok(status)) return status;
    // 0 until the device is set up.
    if (count < 0 || count > kMostInterfaces) return Status::CorruptData;
    if (count > 1 && ch4.vci_bytes <= 0) return Status::NoInformation;
    const std::uint64_t first = at(symbols.ch4_global, ch4.global_per_vci);
    for (std::int32_t i = 0; i < count; ++i) {
        const std::uint64_t distance = i == 0 ? 0 : static_cast<std::uint64_t>(ch4.vci_bytes);
        if (!interfaces.push(first + static_cast<std::uint64_t>(i) * distance)) {
            return Status::OutOfMemory;
        }
    }
    return Status::Ok;
}

Ch4Queues::Ch4Queues(const Target& target,
                     const Layout& layout,
                     const Symbols& symbols,
                     Snapshot& snapshot,
                     Status pools)
    : target_(target),
      layout_(layout),
      symbols_(symbols),
      snapshot_(snapshot),
      pools_(pools),
      has_pool_(pools != Status::NoInformation && layout.request_comm >= 0),
      builder_(target, layout, symbols, snapshot, has_pool_) {}

Status Ch4Queues::read() {
    const Status learned = builder_.learn_envelopes();
    if (!ok(learned)) return learned;
    const Status found = find_lists();
    if (found == Status::OutOfMemory) return found;

    OperationQueue& unexpected = snapshot_.queues[mqs_unexpected_messages];
    unexpected.status = ok(found) ? read_unexpected(unexpected) : found;
    if (ok(unexpected.status) && has_pool_) {
        unexpected.status = ok(pools_) ? builder_.add_probed_messages(unexpected) : pools_;
    }

    OperationQueue& receives = snapshot_.queues[mqs_pending_receives];
    receives.status = ok(found) ? read_posted(receives) : found;
    // What a network module matches may still be in MPICH's list for debuggers.
    Status listed = Status::NoInformation;
    if (ok(receives.status)) {
        listed = builder_.add_listed_receives(receives, RequestWay::Native);
        if (listed != Status::NoInformation) receives.status = listed;
    }
    if (ok(receives.status) && has_pool_) receives.status = read_pool_receives(receives);
    if (ok(receives.status) && has_pool_) receives.status = pools_;

    OperationQueue& sends = snapshot_.queues[mqs_pending_sends];
    sends.status = read_sends(sends);

    Status status = hide(unexpected);
    const bool receives_hidden = listed == Status::NoInformation &&
                                 (!has_pool_ || snapshot_.visibility.native == NativeMessages::Ucx);
    if (ok(status) && receives_hidden) status = hide(receives);
    if (ok(status) && (!has_pool_ || has_hidden_send())) status = hide(sends);
    return status;
}

/// Where the type of MPIDI_global is not known, its first interface is behind
/// variables that MPICH has for debuggers, and a setting says whether it is the
/// only one.
Status Ch4Queues::find_exported_lists() {
    if (symbols_.posted_head_ptr == 0 || symbols_.unexpected_head_ptr == 0) {
        return Status::NoInformation;
    }
    std::int32_t interfaces = 1;
    if (symbols_.setting_vcis != 0) {
        const Status status = target_.read_int(symbols_.setting_vcis, interfaces);
        if (!ok(status)) return status;
    }
    if (interfaces > 1) return Status::NoInformation;
    Lists only;
    std::uint64_t posted = 0;
    std::uint64_t unexpected = 0;
    Status status = target_.read_pointer(symbols_.posted_head_ptr, posted);
    if (ok(status)) status = target_.read_pointer(symbols_.unexpected_head_ptr, unexpected);
    if (ok(status)) status = target_.read_pointer(posted, only.posted);
    if (ok(status)) status = target_.read_pointer(unexpected, only.unexpected);
    if (!ok(status)) return status;
    return lists_.push(only) ? Status::Ok : Status::OutOfMemory;
}

Status Ch4Queues::find_lists() {
    const Ch4Layout& ch4 = layout_.ch4;
    Array<std::uint64_t> interfaces;
    Status status = Status::NoInformation;
    if (ch4.vci_posted >= 0 && ch4.vci_unexpected >= 0) {
        status = find_interfaces(target_, layout_, symbols_, interfaces);
    }
    if (status == Status::NoInformation) return find_exported_lists();
    for (std::size_t i = 0; ok(status) && i < interfaces.size(); ++i) {
        Lists found;
        status = target_.read_pointer(at(interfaces[i], ch4.vci_posted), found.posted);
        if (ok(status)) {
            status = target_.read_pointer(at(interfaces[i], ch4.vci_unexpected), found.unexpected);
        }
        if (ok(status) && !lists_.push(found)) status = Status::OutOfMemory;
    }
    return status;
}

Status Ch4Queues::self_list(std::uint64_t head, std::uint64_t& first) const {
    if (head == 0) return Status::NoInformation;
    return target_.read_pointer(head, first);
}

Status Ch4Queues::read_unexpected(OperationQueue& queue) {
    Array<std::uint32_t> messages;
    for (const Lists& lists : lists_) {
        const Status status =
            builder_.walk(lists.unexpected,
                          RequestWay::ActiveMessage,
                          RequestKind::Receive,
                          [&](std::uint32_t index) {
                              return messages.push(index) ? Status::Ok : Status::OutOfMemory;
                          });
        if (!ok(status)) return status;
    }
    Status status = read_senders_that_wait(messages);
    for (const std::uint32_t index : messages) {
        if (ok(status)) status = builder_.add_message(queue, index, mqs_st_pending);
    }
    if (!ok(status)) return status;
    std::uint64_t first = 0;
    status = self_list(symbols_.self_sends, first);
    if (!ok(status)) return status;
    return builder_.walk(first, RequestWay::Self, RequestKind::Send, [&](std::uint32_t index) {
        Request& request = snapshot_.requests[index];
        // It is a send of this process, too.
        request.listed = false;
        const Status learned = snapshot_.datatypes.learn(target_, request.datatype);
        if (!ok(learned)) return learned;
        request.message_bytes = snapshot_.datatypes.bytes_of(request.datatype, request.count);
        return builder_.add_message(queue, index, mqs_st_pending);
    });
}

/// Whether the sender of an eager message waits for its match is in the extension of the
/// request.
Status Ch4Queues::read_senders_that_wait(const Array<std::uint32_t>& messages) {
    const int field = layout_.ch4.ext_status;
    if (field < 0) return Status::Ok;
    RequestTable& requests = snapshot_.requests;
    Array<Extension> extensions;
    for (const std::uint32_t index : messages) {
        const Request& request = requests[index];
        if (request.extension != 0 && !request.synchronous &&
            !extensions.push({request.extension, index})) {
            return Status::OutOfMemory;
        }
    }
    std::sort(extensions.begin(), extensions.end(), [](const Extension& a, const Extension& b) {
        return a.address < b.address;
    });
    Array<unsigned char> bytes;
    const auto extent = static_cast<std::uint64_t>(field) + 8;
    for (std::size_t i = 0; i < extensions.size();) {
        const std::uint64_t first = extensions[i].address;
        std::size_t end = i + 1;
        while (end < extensions.size() && extensions[end].address - first < kBytesAtOnce &&
               extensions[end].address - extensions[end - 1].address <= extent * 8) {
            ++end;
        }
        const std::uint64_t length = extensions[end - 1].address - first + extent;
        Status status = target_.read(first, static_cast<std::size_t>(length), bytes);
        if (status == Status::UnreadableMemory && end > i + 1) {
            // What lies between two of them need not exist.
            end = i + 1;
            status = target_.read(first, static_cast<std::size_t>(extent), bytes);
        }
        if (!ok(status)) return status;
        for (; i < end; ++i) {
            const std::uint64_t offset =
                extensions[i].address - first + static_cast<std::uint64_t>(field);
            const std::uint64_t state = target_.unsigned_at(bytes.data() + offset, 8);
            requests[extensions[i].request].synchronous = (state & kPeerWaits) != 0;
        }
    }
    return Status::Ok;
}

Status Ch4Queues::read_posted(OperationQueue& queue) {
    const auto add = [&](std::uint32_t index) {
        // The network's half of a receive from any source.
        if (snapshot_.requests[index].is_networks_half()) return Status::Ok;
        return builder_.add_receive(queue, index, mqs_st_pending);
    };
    for (const Lists& lists : lists_) {
        const Status status =
            builder_.walk(lists.posted, RequestWay::ActiveMessage, RequestKind::Receive, add);
        if (!ok(status)) return status;
    }
    std::uint64_t first = 0;
    const Status status = self_list(symbols_.self_receives, first);
    if (!ok(status)) return status;
    return builder_.walk(first, RequestWay::Self, RequestKind::Receive, add);
}

/// Those that the network matches, and those that have met their message.
Status Ch4Queues::read_pool_receives(OperationQueue& queue) {
    RequestTable& requests = snapshot_.requests;
    for (std::uint32_t i = 0; i < requests.size(); ++i) {
        Request& request = requests[i];
        const bool partitioned = request.kind == RequestKind::PartitionedReceive && request.active;
        if ((request.kind != RequestKind::Receive && !partitioned) || request.listed ||
            request.comm == 0) {
            continue;
        }
        bool pending = false;
        Status status = requests.is_pending(target_, request, pending);
        if (!ok(status)) return status;
        request.listed = true;
        if (request.is_networks_half()) continue;
        int state = pending ? mqs_st_matched : mqs_st_complete;
        // Whether a network library has met the message is not known, nor is how
        // many partitions have come.
        if (pending && (partitioned || request.way == RequestWay::Native)) state = mqs_st_pending;
        status = builder_.add_receive(queue, i, state);
        if (!ok(status)) return status;
    }
    return Status::Ok;
}

/// A message that fits into no cell of the shared memory is sent by rendezvous, which notes
/// the destination (mpidig_send.h, ipc_p2p.h).
Status Ch4Queues::find_destinations() {
    std::int32_t cell = 0;
    if (symbols_.setting_cell == 0 || !ok(target_.read_int(symbols_.setting_cell, cell)) ||
        cell <= 0) {
        return Status::Ok;
    }
    RequestTable& requests = snapshot_.requests;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        Request& request = requests[i];
        if (request.kind != RequestKind::Send || request.way != RequestWay::ActiveMessage ||
            !request.is_local || request.comm == 0 || request.datatype == 0) {
            continue;
        }
        const Status status = snapshot_.datatypes.learn(target_, request.datatype);
        if (!ok(status)) return status;
        if (snapshot_.datatypes.bytes_of(request.datatype, request.count) <= cell) continue;
        request.protocol = mqs_protocol_rendezvous;
        if (request.rank == kUndefined && request.source >= 0) request.rank = request.source;
    }
    return Status::Ok;
}

Status Ch4Queues::read_sends(OperationQueue& queue) {
    const Status found = find_destinations();
    if (!ok(found)) return found;
    Status status = builder_.add_send_list(queue);
    if (!has_pool_) return status;
    if (status == Status::NoInformation) status = pools_;
    for (const bool plain : {false, true}) {
        if (ok(status)) status = builder_.add_pool_sends(queue, plain);
    }
    RequestTable& requests = snapshot_.requests;
    for (std::uint32_t i = 0; ok(status) && i < requests.size(); ++i) {
        const Request& request = requests[i];
        if (request.kind == RequestKind::PartitionedSend && request.active && request.comm != 0) {
            status = builder_.add_send(queue, i);
        }
    }
    return ok(status) ? pools_ : status;
}

/// A send that the network module started has no communicator, and unless the
/// debugger's list has it nothing says where it goes.
bool Ch4Queues::has_hidden_send() const {
    const RequestTable& requests = snapshot_.requests;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const Request& request = requests[i];
        if (request.kind == RequestKind::Send && request.way == RequestWay::Native &&
            !request.listed && request.cc != 0) {
            return true;
        }
    }
    return false;
}

Status Ch4Queues::hide(OperationQueue& queue) const {
    const CommunicatorTable& communicators = snapshot_.communicators;
    for (std::size_t i = 0; i < communicators.size(); ++i) {
        if (!snapshot_.visibility.hides(communicators[i], communicators.ranks())) continue;
        if (!queue.hide(i, communicators.size())) return Status::OutOfMemory;
    }
    return Status::Ok;
}

}  // namespace mqinspect::dll
