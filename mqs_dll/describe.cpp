#include "mqs_dll/describe.h"

#include <cstring>

#include "mqs_dll/collectives.h"
#include "mqs_dll/text.h"

namespace mqinspect::dll {
namespace {

constexpr mqs_tword_t kUnknown = -1;

/// The lines of extra_text; the last one stays empty, since some debuggers read
/// past a full array.
class Lines {
public:
    explicit Lines(mqs_pending_operation& operation) : operation_(operation) {}
    TextWriter next() {
        if (used_ < 4) ++used_;
        return {operation_.extra_text[used_ - 1], sizeof operation_.extra_text[0]};
    }

private:
    mqs_pending_operation& operation_;
    int used_ = 0;
};

const char* name_of_kind(int kind) {
    switch (kind) {
        case mqs_op_receive:
            return "receive";
        case mqs_op_send:
            return "send";
        case mqs_op_synchronous_send:
            return "synchronous send";
        case mqs_op_ready_send:
            return "ready send";
        case mqs_op_buffered_send:
            return "buffered send";
        case mqs_op_collective:
            return "collective operation";
        case mqs_op_sendrecv:
            return "send and receive (MPI_Isendrecv)";
        default:
            return "operation";
    }
}

const char* name_of_protocol(int protocol) {
    switch (protocol) {
        case mqs_protocol_eager:
            return "eager";
        case mqs_protocol_rendezvous:
            return "rendezvous";
        case mqs_protocol_self:
            return "to itself";
        default:
            return "";
    }
}

const Request& carrier(const Snapshot& snapshot, const Operation& operation) {
    return snapshot.requests[operation.request];
}

/// The request that the user's handle names.
const Request& user_request(const Snapshot& snapshot, const Operation& operation) {
    const Request& request = carrier(snapshot, operation);
    return request.persistent == RequestTable::kMissing ? request
                                                        : snapshot.requests[request.persistent];
}

/// A send or receive that MPI_Isendrecv has started.
bool is_part(const Snapshot& snapshot, const Operation& operation) {
    return carrier(snapshot, operation).part_of != RequestTable::kMissing;
}

bool is_persistent(const Snapshot& snapshot, const Operation& operation) {
    return carrier(snapshot, operation).persistent != RequestTable::kMissing;
}

/// The parts of a collective operation, and what MPI holds for a blocking call, have a
/// request that no user knows.
bool has_user_handle(const Snapshot& snapshot, const Operation& operation, int queue) {
    // Of a message only a matched probe's caller has one, an MPI_Message.
    const bool held = queue != mqs_unexpected_messages || operation.status == mqs_st_matched;
    return held && !operation.collective && !operation.blocking && !is_part(snapshot, operation) &&
           !carrier(snapshot, operation).from_packet;
}

void describe_count(const Snapshot& snapshot, const Request& request, Lines& lines) {
    if (request.count < 0) return;
    TextWriter line = lines.next();
    line.append("count ").append_decimal(request.count);
    const char* name = snapshot.datatypes.name_of(request.datatype);
    if (name[0] != '\0') line.append(" x ").append(name);
}

void describe_request(std::uint32_t handle, Lines& lines) {
    if (handle != 0) lines.next().append("request ").append_handle(handle);
}

void describe_message(const Operation& operation, Lines& lines) {
    TextWriter line = lines.next();
    const char* protocol = name_of_protocol(operation.protocol);
    if (operation.collective) line.append("of a collective operation, ");
    line.append(protocol[0] == '\0' ? "message" : protocol);
    if (operation.synchronous) line.append(", the sender waits for the match");
    if (operation.status == mqs_st_matched) {
        lines.next().append("taken by a matched probe, not received");
    }
}

/// Of an operation whose envelope the device keeps to itself, or not at all.
const char* describe_unknown(const Operation& operation) {
    const bool receives = operation.kind == mqs_op_receive;
    if (operation.peer != kUndefined) return "the device does not keep the tag";
    if (operation.tag != kUndefined) return "the device does not keep the destination";
    return receives ? "source and tag are known to the network library only"
                    : "the device does not keep destination and tag";
}

void describe_transfer(const Snapshot& snapshot, const Operation& operation, Lines& lines) {
    TextWriter first = lines.next();
    if (operation.collective) first.append("of a collective operation: ");
    if (is_part(snapshot, operation)) first.append("part of MPI_Isendrecv: ");
    if (is_persistent(snapshot, operation)) {
        first.append("persistent ");
    } else if (operation.nonblocking) {
        first.append("nonblocking ");
    }
    if (carrier(snapshot, operation).partitions > 0) first.append("partitioned ");
    if (operation.blocking) first.append("blocking ");
    const bool sends = operation.kind == mqs_op_unknown;
    first.append(sends ? "send" : name_of_kind(operation.kind));
    if (operation.perhaps_collective) first.append(", perhaps of a collective operation");
    describe_count(snapshot, carrier(snapshot, operation), lines);
    if (has_user_handle(snapshot, operation, mqs_pending_sends)) {
        describe_request(user_request(snapshot, operation).handle, lines);
    }
    if (operation.cancelled) {
        lines.next().append("cancelled");
        return;
    }
    if (operation.peer == kUndefined || operation.tag == kUndefined) {
        lines.next().append(describe_unknown(operation));
        return;
    }
    const char* protocol = name_of_protocol(operation.protocol);
    if (protocol[0] == '\0') return;
    TextWriter last = lines.next();
    last.append(protocol);
    if (carrier(snapshot, operation).from_packet) last.append(", waits for room in the transport");
}

/// Whom a collective operation's internal operations of a queue still wait for.
void describe_peers(const Snapshot& snapshot,
                    const Operation& collective,
                    int queue,
                    const char* what,
                    Lines& lines) {
    constexpr int most_named = 4;
    int named = 0;
    const OperationQueue& operations = snapshot.queues[queue];
    const Operation* end = operations.end(collective.communicator);
    const Operation* next = operations.begin(collective.communicator);
    while (next != end && (!next->collective || next->tag != collective.tag ||
                           next->status == mqs_st_complete || next->peer < 0)) {
        ++next;
    }
    if (next == end) return;
    TextWriter line = lines.next();
    line.append(what);
    for (; next != end; ++next) {
        if (!next->collective || next->tag != collective.tag || next->status == mqs_st_complete ||
            next->peer < 0) {
            continue;
        }
        if (named == most_named) {
            line.append(" and others");
            return;
        }
        line.append(named++ == 0 ? " " : ", ").append_decimal(next->peer);
    }
}

void describe_collective(const Snapshot& snapshot, const Operation& operation, Lines& lines) {
    TextWriter first = lines.next();
    first.append(is_persistent(snapshot, operation) ? "persistent " : "nonblocking ");
    first.append(name_of_kind(operation.kind));
    if (operation.sequence >= 0) first.append(" number ").append_decimal(operation.sequence);
    describe_request(user_request(snapshot, operation).handle, lines);
    if (operation.status == mqs_st_complete || operation.sequence < 0) return;
    describe_peers(snapshot, operation, mqs_pending_receives, "waits for rank", lines);
    describe_peers(snapshot, operation, mqs_pending_sends, "sends to rank", lines);
}

void clear(mqs_pending_operation& result) {
    std::memset(&result, 0, sizeof result);
    result.desired_local_rank = result.desired_global_rank = kUnknown;
    result.desired_tag = result.desired_length = kUnknown;
    result.actual_local_rank = result.actual_global_rank = kUnknown;
    result.actual_tag = result.actual_length = kUnknown;
}

void copy_desired(mqs_pending_operation& result) {
    result.actual_local_rank = result.desired_local_rank;
    result.actual_global_rank = result.desired_global_rank;
    result.actual_tag = result.desired_tag;
    result.actual_length = result.desired_length;
}

/// The envelope of a message that a receive has met.
void fill_actual(const Snapshot& snapshot,
                 const Operation& operation,
                 mqs_pending_operation& result) {
    const Request& request = carrier(snapshot, operation);
    result.actual_length = request.message_bytes;
    if (operation.collective) {
        result.actual_local_rank = operation.peer;
        result.actual_global_rank = snapshot.identity_of(operation.process);
        result.actual_tag = operation.tag;
        return;
    }
    result.actual_local_rank = request.source < 0 ? kUnknown : request.source;
    result.actual_tag = request.source_tag < 0 ? kUnknown : request.source_tag;
    const CommunicatorTable& table = snapshot.communicators;
    result.actual_global_rank = snapshot.identity_of(
        table.ranks().process(table[operation.communicator].peers, request.source));
}

}  // namespace

void describe(const Snapshot& snapshot,
              const Operation& operation,
              int queue,
              mqs_pending_operation& result) {
    clear(result);
    const Request& request = carrier(snapshot, operation);
    Lines lines(result);
    result.status = operation.status;
    if (queue == mqs_pending_collectives) {
        describe_collective(snapshot, operation, lines);
        return;
    }
    const bool wildcard = operation.peer == kAnySource;
    result.desired_local_rank = wildcard ? kUnknown : operation.peer;
    result.desired_global_rank = snapshot.identity_of(operation.process);
    result.tag_wild = queue == mqs_pending_receives && operation.tag == kAnyTag ? 1 : 0;
    result.desired_tag = operation.tag;
    if (queue == mqs_unexpected_messages) {
        const bool arrived = operation.protocol == mqs_protocol_eager;
        result.desired_length = request.message_bytes;
        result.system_buffer = 1;
        // Only eager messages have brought their data; without any there is no buffer.
        result.buffer = arrived && request.message_bytes > 0 ? request.temporary : 0;
        copy_desired(result);
        describe_message(operation, lines);
        return;
    }
    result.desired_length = request.from_packet
                                ? request.message_bytes
                                : snapshot.datatypes.bytes_of(request.datatype, request.count);
    result.buffer = request.buffer;
    result.system_buffer = operation.kind == mqs_op_buffered_send ? 1 : 0;
    if (queue == mqs_pending_sends) {
        copy_desired(result);
    } else if (operation.status != mqs_st_pending && !operation.cancelled) {
        fill_actual(snapshot, operation, result);
    }
    describe_transfer(snapshot, operation, lines);
}

void describe(const Snapshot& snapshot,
              const Operation& operation,
              int queue,
              mqs_operation_details& result) {
    const unsigned int size = result.struct_size;
    result = mqs_operation_details{};
    result.struct_size = size;
    const Request& request = carrier(snapshot, operation);
    const Request& user = user_request(snapshot, operation);
    result.request = has_user_handle(snapshot, operation, queue) ? user.handle : 0;
    result.request_address = user.address;
    result.active_address = request.address;
    result.kind =
        queue == mqs_unexpected_messages ? static_cast<int>(mqs_op_unknown) : operation.kind;
    result.protocol = operation.protocol;
    result.persistent = is_persistent(snapshot, operation) ? 1 : 0;
    result.collective = operation.collective ? 1 : 0;
    result.synchronous = operation.synchronous ? 1 : 0;
    result.count = queue == mqs_pending_collectives ? request.message_bytes : -1;
    result.sequence = queue == mqs_pending_collectives ? operation.sequence : -1;
    TextWriter(result.function, sizeof result.function)
        .append(snapshot.functions.name(request.function));
    if (queue != mqs_pending_sends && queue != mqs_pending_receives) return;
    if (is_part(snapshot, operation)) {
        result.part_of = snapshot.requests[request.part_of].handle;
    }
    result.datatype = request.datatype;
    result.count = request.count;
    TextWriter(result.datatype_name, sizeof result.datatype_name)
        .append(snapshot.datatypes.name_of(request.datatype));
}

void describe(const Communicator& communicator, mqs_communicator& result) {
    result.unique_id = communicator.unique_id();
    result.local_rank = communicator.rank;
    result.size = communicator.local_size;
    std::memcpy(result.name, communicator.name, sizeof result.name);
}

void describe(const Communicator& communicator, mqs_comm_details& result) {
    const unsigned int size = result.struct_size;
    result = mqs_comm_details{};
    result.struct_size = size;
    result.handle = communicator.handle;
    result.kind = communicator.inter ? mqs_comm_inter : mqs_comm_intra;
    result.internal = communicator.internal ? 1 : 0;
    result.named = communicator.named ? 1 : 0;
    result.remote_size = communicator.inter ? communicator.remote_size : 0;
    result.address = communicator.address;
    const bool has_context = communicator.recorded_id == 0;
    result.context_id = has_context ? std::int64_t{communicator.context} : -1;
    result.recv_context_id = has_context ? std::int64_t{communicator.recv_context} : -1;
    result.collectives_started = collectives_started(communicator);
}

}  // namespace mqinspect::dll
