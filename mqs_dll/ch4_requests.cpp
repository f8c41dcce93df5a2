#include "mqs_dll/ch4_requests.h"

#include <algorithm>
#include <initializer_list>

#include "mqs_dll/operations.h"

namespace mqinspect::dll {
namespace {

bool is_builtin_datatype(std::uint32_t handle) {
    return allocation_of(handle) == Allocation::Builtin &&
           is_handle_of(handle, ObjectKind::Datatype);
}

/// The device's part of one request.
class Fields {
public:
    explicit Fields(const RequestBytes& bytes) : bytes_(bytes), layout_(bytes.layout()) {}

    /// Of the union; `offset` is that of a member of the struct that starts it.
    int at(int offset) const {
        return offset < 0 ? -1 : bytes_.device(layout_.ch4.dev_ch4 + offset);
    }
    std::uint64_t pointer(int offset) const { return bytes_.pointer(at(offset)); }
    std::int64_t aint(int offset) const { return bytes_.aint(at(offset)); }
    std::uint32_t word(int offset, std::uint32_t absent) const {
        return bytes_.word(at(offset), absent);
    }
    std::int32_t signed_word(int offset, std::int32_t absent) const {
        return static_cast<std::int32_t>(word(offset, static_cast<std::uint32_t>(absent)));
    }
    std::uint32_t context(int offset) const {
        if (offset < 0) return kUnknownContext;
        return static_cast<std::uint32_t>(
            bytes_.target().unsigned_at(bytes_.at(at(offset)), layout_.context_bytes));
    }
    /// struct {int source; MPIR_Context_id_t context_id; int tag;}: without a
    /// name that a debugger could look up.
    void envelope(int offset, Request& request) const {
        if (offset < 0) return;
        request.rank = signed_word(offset, kUndefined);
        request.context = context(offset + 4);
        request.tag = signed_word(offset + 8, kUndefined);
    }

    const Ch4Layout& layout() const { return layout_.ch4; }
    bool has_send_list() const { return layout_.send_list().exists(); }
    int pointer_size() const { return layout_.pointer_size; }

private:
    const RequestBytes& bytes_;
    const Layout& layout_;
};

void decode_active_message(const Fields& fields, Request& request) {
    const Ch4Layout& layout = fields.layout();
    const bool sends = request.kind == RequestKind::Send;
    const bool is_message = request.kind == RequestKind::Probed || request.comm == 0;
    request.extension = fields.pointer(layout.am_ext);
    if (!sends || fields.has_send_list()) {
        request.buffer = fields.pointer(layout.am_buffer);
        request.count = fields.aint(layout.am_count);
        request.datatype = fields.word(layout.am_datatype, 0);
    }
    if (sends) {
        // Set by rendezvous only; see Ch4Queues::find_destinations.
        request.source = fields.signed_word(layout.am_u, kUndefined);
        return;
    }
    fields.envelope(layout.am_u, request);
    if (!is_message && request.cc == 0) {
        // The status has what arrived. The buffer is MPICH's own if the message was
        // unexpected, and free by now.
        request.buffer = 0;
        return;
    }
    // The envelope of a message, or of the receive until it meets one.
    request.source = request.rank;
    request.source_tag = request.tag;
    request.message_bytes = -1;
    if (!is_message) return;
    // MPI_BYTE, and no buffer until a rendezvous has one to fill.
    request.message_bytes = request.count;
    request.temporary = request.buffer;
    request.protocol =
        request.buffer == 0 && request.count > 0 ? mqs_protocol_rendezvous : mqs_protocol_eager;
    request.synchronous = request.protocol == mqs_protocol_rendezvous;
}

void decode_self(const Fields& fields, Request& request) {
    const Ch4Layout& layout = fields.layout();
    request.rank = 0;
    request.protocol = mqs_protocol_self;
    // A matched probe's only points to the send.
    if (request.kind == RequestKind::Probed) return;
    request.buffer = fields.pointer(layout.self_buffer);
    request.count = fields.aint(layout.self_count);
    request.datatype = fields.word(layout.self_datatype, 0);
    request.tag = fields.signed_word(layout.self_tag, kUndefined);
    request.context = fields.word(layout.self_context_id, kUnknownContext);
}

void decode_ofi(const Fields& fields, Request& request) {
    const Ch4Layout& layout = fields.layout();
    if (request.kind == RequestKind::Probed) {
        // The status is the probe's.
        request.rank = request.source;
        request.tag = request.source_tag;
        return;
    }
    if (request.kind != RequestKind::Receive || request.comm == 0) return;
    request.context = fields.word(layout.ofi_context_id, kUnknownContext);
    request.datatype = fields.word(layout.ofi_datatype, 0);
    // What is not contiguous goes through a buffer of its own, or a vector.
    if (layout.ofi_iov < 0 || !is_builtin_datatype(request.datatype)) return;
    const std::int64_t each = request.datatype >> 8 & 0xff;
    const std::int64_t bytes = fields.aint(layout.ofi_iov + fields.pointer_size());
    if (each == 0 || bytes < 0 || bytes % each != 0) return;
    request.buffer = fields.pointer(layout.ofi_iov);
    request.count = bytes / each;
}

void decode_persistent(const Fields& fields, Request& request) {
    const Ch4Layout& layout = fields.layout();
    request.rank = fields.signed_word(layout.preq_rank, kUndefined);
    request.tag = fields.signed_word(layout.preq_tag, kUndefined);
    request.context = fields.context(layout.preq_context_id);
    request.buffer = fields.pointer(layout.preq_buffer);
    request.count = fields.aint(layout.preq_count);
    request.datatype = fields.word(layout.preq_datatype, 0);
    if (request.kind == RequestKind::PersistentReceive) return;
    // MPIDI_ptype; MPI_Rsend_init makes a standard send (ch4_send.h).
    switch (fields.word(layout.preq_type, 1)) {
        case 2:
            request.type = RequestType::BufferedSend;
            break;
        case 3:
            request.type = RequestType::SynchronousSend;
            break;
        default:
            request.type = RequestType::Send;
            break;
    }
}

void decode_partitioned(const Fields& fields, Request& request) {
    const Ch4Layout& layout = fields.layout();
    request.buffer = fields.pointer(layout.part_buffer);
    // Of one partition.
    if (__builtin_mul_overflow(
            fields.aint(layout.part_count), std::int64_t{request.partitions}, &request.count) ||
        request.count < 0) {
        request.count = -1;
    }
    request.datatype = fields.word(layout.part_datatype, 0);
    if (request.kind == RequestKind::PartitionedReceive) {
        fields.envelope(layout.part_u, request);
    } else {
        request.rank = fields.signed_word(layout.part_u, kUndefined);
    }
}

}  // namespace

RequestWay ch4_way(const Request& request,
                   std::int32_t is_local,
                   NativeMessages native,
                   const CommunicatorTable& communicators) {
    switch (request.kind) {
        case RequestKind::PersistentSend:
        case RequestKind::PersistentReceive:
            return RequestWay::Persistent;
        case RequestKind::PartitionedSend:
        case RequestKind::PartitionedReceive:
            return RequestWay::Partitioned;
        default:
            break;
    }
    if (request.comm != 0) {
        const std::uint32_t index = communicators.find(request.comm);
        if (index != CommunicatorTable::kMissing && communicators[index].is_alone()) {
            return RequestWay::Self;
        }
    }
    if (is_local == 1 || native == NativeMessages::None) return RequestWay::ActiveMessage;
    // UCX gets no communicator, libfabric one for receives. An active message has
    // one, or is unexpected, which the list that it is in says.
    if (request.comm != 0 && native == NativeMessages::Ucx) return RequestWay::ActiveMessage;
    return RequestWay::Native;
}

std::int32_t ch4_is_local(const RequestBytes& bytes) {
    const int offset = bytes.layout().ch4.dev_is_local;
    return offset < 0 ? -1 : static_cast<std::int32_t>(bytes.word(bytes.device(offset), 0));
}

void decode_ch4(const RequestBytes& bytes, Request& request) {
    const Fields fields(bytes);
    const bool receives = request.kind == RequestKind::Receive ||
                          request.kind == RequestKind::Probed ||
                          request.kind == RequestKind::PersistentReceive ||
                          request.kind == RequestKind::PartitionedReceive;
    request.type = receives ? RequestType::Receive : RequestType::AnySend;
    request.rank = request.tag = kUndefined;
    request.context = kUnknownContext;
    request.partner = bytes.pointer(bytes.device(fields.layout().dev_partner));
    request.is_local = ch4_is_local(bytes) == 1;
    switch (request.way) {
        case RequestWay::ActiveMessage:
            decode_active_message(fields, request);
            break;
        case RequestWay::Self:
            decode_self(fields, request);
            break;
        case RequestWay::Native:
            decode_ofi(fields, request);
            break;
        case RequestWay::Persistent:
            decode_persistent(fields, request);
            break;
        case RequestWay::Partitioned:
            decode_partitioned(fields, request);
            break;
        case RequestWay::Common:
            break;
    }
}

int ch4_request_extent(const Layout& layout) {
    const Ch4Layout& ch4 = layout.ch4;
    // A union of three ints is at the very end of a request.
    const int last =
        std::max({ch4.am_ext,          ch4.am_buffer,      ch4.am_count,        ch4.am_datatype,
                  ch4.am_u + 4,        ch4.preq_type,      ch4.preq_buffer,     ch4.preq_count,
                  ch4.preq_rank,       ch4.preq_tag,       ch4.preq_context_id, ch4.preq_datatype,
                  ch4.part_buffer,     ch4.part_count,     ch4.part_datatype,   ch4.part_u + 4,
                  ch4.self_buffer,     ch4.self_count,     ch4.self_datatype,   ch4.self_tag,
                  ch4.self_context_id, ch4.ofi_context_id, ch4.ofi_datatype,    ch4.ofi_iov + 8});
    return std::max({ch4.dev_is_local, ch4.dev_partner, ch4.dev_ch4 + last});
}

}  // namespace mqinspect::dll
