#include "mqs_dll/recorder_lists.h"

#include <algorithm>
#include <cstring>

#include "include/mpich_handles.h"
#include "mqs_dll/recorder_walk.h"
#include "mqs_dll/snapshot.h"
#include "mqs_dll/text.h"

namespace mqinspect::dll {
namespace {

using pending::Kind;

constexpr std::size_t kMostCommunicators = std::size_t{1} << 20;
constexpr std::uint64_t kMostRequests = std::uint64_t{1} << 24;
constexpr std::uint32_t kMostRequestBytes = 4096;
constexpr std::int32_t kLargestGroup = 1 << 24;
/// Of all groups, and of all counts, of one process.
constexpr std::size_t kMostRanks = std::size_t{1} << 25;
constexpr std::size_t kMostCounts = std::size_t{1} << 22;
constexpr std::size_t kEntriesAtOnce = 1024;

std::uint8_t kind_of(Kind kind) {
    switch (kind) {
        case Kind::Receive:
        case Kind::MatchedReceive:
        case Kind::PartitionedReceive:
            return mqs_op_receive;
        case Kind::Send:
        case Kind::PartitionedSend:
            return mqs_op_send;
        case Kind::SynchronousSend:
            return mqs_op_synchronous_send;
        case Kind::ReadySend:
            return mqs_op_ready_send;
        case Kind::BufferedSend:
            return mqs_op_buffered_send;
        case Kind::SendReceive:
            return mqs_op_sendrecv;
        case Kind::Collective:
            return mqs_op_collective;
        case Kind::None:
        case Kind::Other:
            break;
    }
    return mqs_op_unknown;
}

bool is_partitioned(Kind kind) {
    return kind == Kind::PartitionedSend || kind == Kind::PartitionedReceive;
}

/// The name of the program, without control characters.
void take_name(const pending::Communicator& from, Communicator& to) {
    std::memcpy(to.name, from.name, sizeof to.name - 1);
    to.name[sizeof to.name - 1] = '\0';
    for (char& c : to.name) {
        const auto value = static_cast<unsigned char>(c);
        if (value != 0 && (value < 0x20 || value == 0x7f)) c = '?';
    }
    to.named = to.name[0] != '\0';
    if (!to.named) TextWriter(to.name, sizeof to.name).append("comm ").append_handle(to.handle);
}

bool is_plausible(const pending::Communicator& communicator) {
    return communicator.size > 0 && communicator.size <= kLargestGroup && communicator.rank >= 0 &&
           communicator.rank < communicator.size && communicator.remote_size >= 0 &&
           communicator.remote_size <= kLargestGroup && communicator.handle <= UINT32_MAX &&
           communicator.id != 0 && communicator.id >> 62U == 0;
}

/// Reads what a head leads to.
class Reader {
public:
    Reader(const Target& target, const pending::Head& head, Snapshot& snapshot)
        : target_(target), head_(head), snapshot_(snapshot) {}

    Status read_communicators();
    /// Of all communicators, or only of those that the device hides some of.
    Status read_operations(bool hidden_only);
    Status read_counts(bool hidden_only);

private:
    struct Found {
        pending::Operation operation;
        pending::Envelope received;
        std::uint32_t communicator = 0;
        bool blocking = false;
    };

    Status add_communicator(std::uint64_t address, const pending::Communicator& from);
    Status read_group(std::uint64_t address,
                      std::uint32_t ranges,
                      std::int32_t size,
                      Array<std::int32_t>& ranks) const;
    Status index_handles();
    Status read_counts_of(const pending::Communicator& from, std::uint32_t index);
    Status find_blocking();
    template <class Visit>
    Status for_each_entry(const pending::Table& table, Visit&& visit) const;
    Status find_requests();
    Status add_probed();
    Status find(const pending::Request& request, bool blocking);
    Status add(const Found& found);
    Status add_parts(const Found& found, std::uint32_t whole);
    Status add_transfer(Operation& operation, const Found& found);
    Status hide(std::uint32_t communicator, int queue);
    std::uint32_t index_of(std::uint64_t handle) const;

    const Target& target_;
    const pending::Head& head_;
    Snapshot& snapshot_;
    IndexMap by_handle_;  ///< communicators
    bool hidden_only_ = false;
    std::size_t ranks_read_ = 0;
    Array<Found> found_;
};

/// CorruptData: they are not as many as the group has members.
Status Reader::read_group(std::uint64_t address,
                          std::uint32_t ranges,
                          std::int32_t size,
                          Array<std::int32_t>& ranks) const {
    const auto wanted = static_cast<std::size_t>(size);
    if (ranges > wanted || ranges == 0) return Status::CorruptData;
    Array<unsigned char> bytes;
    const Status status = target_.read(address, ranges * sizeof(pending::Ranks), bytes);
    if (!ok(status)) return status;
    if (!ranks.reserve(wanted)) return Status::OutOfMemory;
    for (std::size_t i = 0; i < ranges; ++i) {
        pending::Ranks range;
        std::memcpy(&range, bytes.data() + i * sizeof range, sizeof range);
        for (std::int64_t rank = range.first;; rank += range.step) {
            if (ranks.size() == wanted || rank < INT32_MIN || rank > INT32_MAX)
                return Status::CorruptData;
            const bool known = rank >= 0 && rank < kLargestGroup;
            const auto member =
                known ? static_cast<std::int32_t>(rank) : std::int32_t{MQS_INVALID_PROCESS};
            if (!ranks.push(member)) return Status::OutOfMemory;
            if (rank == range.last) break;
        }
    }
    return ranks.size() == wanted ? Status::Ok : Status::CorruptData;
}

Status Reader::add_communicator(std::uint64_t address, const pending::Communicator& from) {
    Communicator communicator;
    communicator.address = address;
    communicator.handle = static_cast<std::uint32_t>(from.handle);
    communicator.recorded_id = from.id;
    communicator.recorded_collectives = from.collectives;
    communicator.local_size = from.size;
    communicator.inter = from.remote_size > 0;
    communicator.remote_size = communicator.inter ? from.remote_size : from.size;
    communicator.rank = from.rank;
    take_name(from, communicator);
    Array<std::int32_t> members;
    Array<std::int32_t> remote;
    ranks_read_ += static_cast<std::size_t>(from.size) + static_cast<std::size_t>(from.remote_size);
    // A group that cannot be read is not known; the communicator is there all the same.
    if (ranks_read_ <= kMostRanks) {
        Status status = read_group(from.members, from.member_ranges, from.size, members);
        if (status == Status::OutOfMemory) return status;
        if (!ok(status)) members.clear();
        status = communicator.inter
                     ? read_group(from.remote_members, from.remote_ranges, from.remote_size, remote)
                     : Status::Ok;
        if (status == Status::OutOfMemory) return status;
        if (!ok(status)) remote.clear();
    }
    return snapshot_.communicators.add_recorded(communicator, members, remote);
}

/// The list is newest first; the order of the table is its own.
Status Reader::read_communicators() {
    return for_each_in_list<pending::Communicator>(
        target_,
        head_.communicators,
        kMostCommunicators,
        [this](std::uint64_t address, const pending::Communicator& from) {
            return is_plausible(from) ? add_communicator(address, from) : Status::CorruptData;
        });
}

Status Reader::index_handles() {
    const CommunicatorTable& table = snapshot_.communicators;
    for (std::size_t i = 0; i < table.size(); ++i) {
        const std::uint64_t handle = table[i].handle;
        if (handle == 0 || by_handle_.find(handle) != IndexMap::kMissing) continue;
        if (!by_handle_.insert(handle, static_cast<std::uint32_t>(i))) return Status::OutOfMemory;
    }
    return Status::Ok;
}

std::uint32_t Reader::index_of(std::uint64_t handle) const {
    return handle == 0 ? CommunicatorTable::kMissing : by_handle_.find(handle);
}

Status Reader::hide(std::uint32_t communicator, int queue) {
    return snapshot_.queues[queue].hide(communicator, snapshot_.communicators.size())
               ? Status::Ok
               : Status::OutOfMemory;
}

Status Reader::find(const pending::Request& request, bool blocking) {
    const pending::Operation& operation = request.operation;
    const bool inactive = operation.persistent != 0 && operation.active == 0;
    if (operation.kind == Kind::None || operation.kind == Kind::Other || inactive)
        return Status::Ok;
    // Nobody is behind MPI_PROC_NULL.
    if ((is_send(operation.kind) || is_receive(operation.kind)) &&
        operation.peer == mpich::kProcNull)
        return Status::Ok;
    const std::uint32_t communicator = index_of(operation.communicator);
    if (communicator == CommunicatorTable::kMissing) return Status::Ok;
    if (hidden_only_ && (operation.kind == Kind::Collective || !snapshot_.is_hidden(communicator)))
        return Status::Ok;
    return found_.push({operation, request.received, communicator, blocking}) ? Status::Ok
                                                                              : Status::OutOfMemory;
}

template <class Visit>
Status Reader::for_each_entry(const pending::Table& table, Visit&& visit) const {
    if (head_.changing != 0 || head_.request_bytes < sizeof(pending::Request) ||
        head_.request_bytes > kMostRequestBytes || table.places > kMostRequests)
        return Status::CorruptData;
    Array<unsigned char> bytes;
    for (std::uint64_t first = 0; first < table.places; first += kEntriesAtOnce) {
        const std::uint64_t count = std::min<std::uint64_t>(kEntriesAtOnce, table.places - first);
        Status status = target_.read(
            table.entries + first * head_.request_bytes, count * head_.request_bytes, bytes);
        for (std::uint64_t i = 0; ok(status) && i < count; ++i) {
            pending::Request request;
            std::memcpy(&request, bytes.data() + i * head_.request_bytes, sizeof request);
            status = visit(request);
        }
        if (!ok(status)) return status;
    }
    return Status::Ok;
}

Status Reader::find_requests() {
    return for_each_entry(head_.requests,
                          [this](const pending::Request& request) { return find(request, false); });
}

/// Messages that matched probes have taken and nobody has received.
Status Reader::add_probed() {
    return for_each_entry(head_.messages, [this](const pending::Request& entry) {
        const pending::Operation& message = entry.operation;
        const std::uint32_t communicator = index_of(message.communicator);
        if (message.kind == Kind::None || communicator == CommunicatorTable::kMissing ||
            (hidden_only_ && !snapshot_.is_hidden(communicator))) {
            return Status::Ok;
        }
        Request request;
        request.handle = static_cast<std::uint32_t>(message.handle);
        request.message_bytes = message.count;
        Operation operation;
        const Status added = snapshot_.requests.add_recorded(request, false, operation.request);
        if (!ok(added)) return added;
        const CommunicatorTable& table = snapshot_.communicators;
        operation.communicator = communicator;
        operation.kind = mqs_op_receive;
        operation.status = mqs_st_matched;
        operation.peer = message.peer < 0 ? -1 : message.peer;
        operation.process = table.ranks().process(table[communicator].peers, message.peer);
        operation.tag = message.tag;
        return snapshot_.queues[mqs_unexpected_messages].add(operation) ? Status::Ok
                                                                        : Status::OutOfMemory;
    });
}

Status Reader::find_blocking() {
    return for_each_in_list<pending::Thread>(
        target_, head_.threads, kMostThreads, [this](std::uint64_t, const pending::Thread& thread) {
            const Status status = find({thread.send, {}}, true);
            return ok(status) ? find({thread.receive, {}}, true) : status;
        });
}

Status Reader::add_transfer(Operation& operation, const Found& found) {
    const pending::Operation& from = found.operation;
    const CommunicatorTable& table = snapshot_.communicators;
    const bool receives = is_receive(from.kind);
    const bool is_known = (receives && from.peer == kAnySource) || from.peer >= 0;
    operation.peer = is_known ? from.peer : -1;
    operation.process = table.ranks().process(table[found.communicator].peers, from.peer);
    operation.tag = from.tag;
    operation.nonblocking = !found.blocking && from.persistent == 0;
    operation.blocking = found.blocking;
    if (from.kind == Kind::MatchedReceive) operation.status = mqs_st_matched;
    OperationQueue& queue = snapshot_.queues[receives ? mqs_pending_receives : mqs_pending_sends];
    return queue.add(operation) ? Status::Ok : Status::OutOfMemory;
}

Status Reader::add(const Found& found) {
    const pending::Operation& from = found.operation;
    Request request;
    request.function = snapshot_.functions.find_or_read(target_, from.function);
    request.handle = static_cast<std::uint32_t>(from.handle);
    request.buffer = from.buffer;
    request.count = from.count;
    if (from.kind == Kind::Collective) request.message_bytes = from.element_bytes;
    request.datatype = static_cast<std::uint32_t>(from.datatype);
    request.source = from.kind == Kind::MatchedReceive ? from.peer : -1;
    request.source_tag = from.kind == Kind::MatchedReceive ? from.tag : -1;
    Operation operation;
    Status status =
        snapshot_.requests.add_recorded(request, from.persistent != 0, operation.request);
    if (!ok(status)) return status;
    operation.communicator = found.communicator;
    operation.kind = kind_of(from.kind);
    // MPICH has builtin requests for what was complete at once.
    if (mpich::handle_kind(request.handle) == mpich::HandleKind::Builtin && !found.blocking)
        operation.status = mqs_st_complete;
    if (is_send(from.kind) || is_receive(from.kind)) {
        status = snapshot_.datatypes.remember(request.datatype, from.element_bytes);
        return ok(status) ? add_transfer(operation, found) : status;
    }
    // Their parts are not known one by one.
    if (is_partitioned(from.kind)) {
        status = hide(found.communicator, mqs_pending_sends);
        return ok(status) ? hide(found.communicator, mqs_pending_receives) : status;
    }
    if (from.kind == Kind::SendReceive) {
        status = add_parts(found, operation.request);
        // The operation itself the device does not hide.
        if (!ok(status) || hidden_only_) return status;
    }
    if (from.sequence >= 0 && from.sequence <= INT32_MAX)
        operation.sequence = static_cast<std::int32_t>(from.sequence);
    return snapshot_.queues[mqs_pending_collectives].add(operation) ? Status::Ok
                                                                    : Status::OutOfMemory;
}

/// Both transfers of MPI_Isendrecv, whose request is `whole`.
Status Reader::add_parts(const Found& found, std::uint32_t whole) {
    Found send = found;
    send.operation.kind = Kind::Send;
    Found receive = found;
    receive.operation.kind = Kind::Receive;
    receive.operation.peer = found.received.peer;
    receive.operation.tag = found.received.tag;
    receive.operation.count = found.received.count;
    receive.operation.datatype = found.received.datatype;
    receive.operation.element_bytes = found.received.element_bytes;
    receive.operation.buffer = 0;
    for (Found* const part : {&send, &receive}) {
        if (part->operation.peer == mpich::kProcNull) continue;
        part->operation.handle = 0;
        const std::size_t index = snapshot_.requests.size();
        const Status status = add(*part);
        if (!ok(status)) return status;
        snapshot_.requests[index].part_of = whole;
    }
    return Status::Ok;
}

Status Reader::read_operations(bool hidden_only) {
    hidden_only_ = hidden_only;
    Status status = index_handles();
    if (ok(status)) status = find_requests();
    if (ok(status)) status = find_blocking();
    if (!ok(status)) return status;
    // A blocking call is younger than whatever its thread has started before.
    std::sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) {
        return a.blocking != b.blocking ? b.blocking : a.operation.order < b.operation.order;
    });
    for (const Found& found : found_) {
        status = add(found);
        if (!ok(status)) return status;
    }
    return add_probed();
}

Status Reader::read_counts_of(const pending::Communicator& from, std::uint32_t index) {
    CountedMessages& counted = snapshot_.counted[index];
    counted.first = static_cast<std::uint32_t>(snapshot_.message_counts.size());
    counted.status = from.uncounted == 0 ? Status::Ok : Status::CorruptData;
    if (from.counts == 0) return Status::Ok;
    const auto peers =
        static_cast<std::size_t>(from.remote_size > 0 ? from.remote_size : from.size);
    Array<unsigned char> bytes;
    const bool too_many = snapshot_.message_counts.size() + peers > kMostCounts;
    const Status status =
        too_many ? Status::CorruptData
                 : target_.read(from.counts, peers * sizeof(pending::MessageCounts), bytes);
    if (status == Status::OutOfMemory) return status;
    if (!ok(status)) {
        counted.status = status;
        return Status::Ok;
    }
    for (std::size_t i = 0; i < peers; ++i) {
        PeerCounts peer{static_cast<std::int32_t>(i), {}};
        std::memcpy(&peer.counts, bytes.data() + i * sizeof peer.counts, sizeof peer.counts);
        if (peer.counts.sent == 0 && peer.counts.received == 0) continue;
        if (!snapshot_.message_counts.push(peer)) return Status::OutOfMemory;
        ++counted.size;
    }
    return Status::Ok;
}

Status Reader::read_counts(bool hidden_only) {
    if (!snapshot_.counted.resize(snapshot_.communicators.size())) return Status::OutOfMemory;
    return for_each_in_list<pending::Communicator>(
        target_,
        head_.communicators,
        kMostCommunicators,
        [&](std::uint64_t, const pending::Communicator& from) {
            if (!is_plausible(from)) return Status::CorruptData;
            const std::uint32_t index = index_of(from.handle);
            const bool wanted = index != CommunicatorTable::kMissing &&
                                (!hidden_only || snapshot_.is_hidden(index));
            return wanted ? read_counts_of(from, index) : Status::Ok;
        });
}

}  // namespace

Status read_from_recorder(const Target& target, const pending::Head& head, Snapshot& snapshot) {
    if (head.state == pending::State::Finalized || head.world_size == 0) {
        for (OperationQueue& queue : snapshot.queues)
            queue.status = Status::Ok;
        return Status::Ok;
    }
    Reader reader(target, head, snapshot);
    const Status listed = reader.read_communicators();
    if (listed == Status::OutOfMemory) return listed;
    const Status sorted = snapshot.communicators.finish_recorded();
    if (!ok(sorted)) return sorted;
    Status read = reader.read_operations(false);
    if (read == Status::OutOfMemory) return read;
    if (ok(read) && head.state == pending::State::Incomplete) read = Status::NoInformation;
    constexpr int known[] = {mqs_pending_sends, mqs_pending_receives, mqs_pending_collectives};
    for (const int queue : known)
        snapshot.queues[queue].status = read;
    // Those that nobody has probed are not known.
    OperationQueue& messages = snapshot.queues[mqs_unexpected_messages];
    messages.status = read;
    const std::size_t communicators = snapshot.communicators.size();
    for (std::size_t i = 0; i < communicators; ++i)
        if (!messages.hide(i, communicators)) return Status::OutOfMemory;
    if (reader.read_counts(false) == Status::OutOfMemory) return Status::OutOfMemory;
    return listed;
}

Status complete_from_recorder(const Target& target, const pending::Head& head, Snapshot& snapshot) {
    if (head.state != pending::State::Recording) return Status::Ok;
    const CommunicatorTable& table = snapshot.communicators;
    for (const int queue : {mqs_pending_sends, mqs_pending_receives}) {
        snapshot.queues[queue].remove_if([&](const Operation& operation) {
            return !operation.collective && snapshot.is_hidden(operation.communicator);
        });
        for (std::size_t i = 0; i < table.size(); ++i)
            if (snapshot.is_hidden(i)) snapshot.queues[queue].unhide(i);
    }
    Reader reader(target, head, snapshot);
    Status status = reader.read_operations(true);
    if (ok(status)) status = reader.read_counts(true);
    if (status == Status::OutOfMemory) return status;
    for (const int queue : {mqs_pending_sends, mqs_pending_receives})
        if (!ok(status)) snapshot.queues[queue].status = status;
    return Status::Ok;
}

}  // namespace mqinspect::dll
