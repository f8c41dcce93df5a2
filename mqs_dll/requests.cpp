#include "mqs_dll/requests.h"

#include <algorithm>
#include <initializer_list>

#include "mqs_dll/ch3_requests.h"
#include "mqs_dll/ch4_requests.h"
#include "mqs_dll/operations.h"
#include "mqs_dll/request_bytes.h"

namespace mqinspect::dll {
namespace {

constexpr int kMostPools = 64;  // MPIR_REQUEST_NUM_POOLS
// 256 blocks of 4096, the widths of a request handle's fields, times four.
constexpr std::uint64_t kMostObjects = std::uint64_t{1} << 22;
// Requests outside of the pools do not exist in MPICH; a damaged list makes them up.
constexpr std::size_t kMostRequests = std::size_t{1} << 22;

/// Bytes of MPIR_Request up to the last field that is read.
int request_extent(const Layout& layout) {
    const int device =
        layout.request_dev + (layout.device == Device::Ch4   ? ch4_request_extent(layout)
                              : layout.device == Device::Ch3 ? ch3_request_extent(layout)
                                                             : 0);
    const int status = layout.request_status < 0
                           ? 0
                           : layout.request_status + std::max({layout.status_count_lo,
                                                               layout.status_count_hi,
                                                               layout.status_source,
                                                               layout.status_tag});
    return 8 + std::max({device,
                         status,
                         layout.request_handle,
                         layout.request_ref_count,
                         layout.request_kind,
                         layout.request_cc_ptr,
                         layout.request_cc,
                         layout.request_comm,
                         layout.request_u < 0 ? 0 : layout.request_u + layout.pointer_size,
                         layout.request_partner,
                         layout.debug_entry_offset(),
                         layout.request_recv,
                         layout.request_next});
}

/// The kinds of sends and receives have the same numbers in all of MPICH.
RequestKind kind_of(KindNumbering numbering, std::uint32_t value) {
    if (value <= 4) return static_cast<RequestKind>(value);
    if (value == 5 && numbering != KindNumbering::Three) return RequestKind::PersistentCollective;
    if (numbering != KindNumbering::Three && value == 6) return RequestKind::PartitionedSend;
    if (numbering != KindNumbering::Three && value == 7) return RequestKind::PartitionedReceive;
    const std::uint32_t collective = numbering == KindNumbering::Three      ? 6
                                     : numbering == KindNumbering::FourZero ? 10
                                                                            : 11;
    if (value == collective + 1) return RequestKind::Probed;
    return value == collective ? RequestKind::Collective : RequestKind::Other;
}

bool is_persistent(RequestKind kind) {
    return kind == RequestKind::PersistentSend || kind == RequestKind::PersistentReceive ||
           kind == RequestKind::PersistentCollective;
}

/// Where u.persist.real_request is: behind the debugger's link, in builds that
/// have one there (u.persist_coll has none). The members of the union have no type name
/// that a debugger could look up.
int real_request_offset(const Layout& layout, RequestKind kind) {
    if (!is_persistent(kind)) return -1;
    if (layout.request_partner >= 0) return layout.request_partner;
    if (layout.request_u < 0) return -1;
    const bool behind_link = layout.debug_entry_offset() == layout.request_u &&
                             kind != RequestKind::PersistentCollective;
    return layout.request_u + (behind_link ? layout.pointer_size : 0);
}

void decode_status(const RequestBytes& bytes, Request& request) {
    const Layout& layout = bytes.layout();
    const auto status = [&](int offset) {
        return offset < 0 || layout.request_status < 0 ? -1 : layout.request_status + offset;
    };
    request.source =
        static_cast<std::int32_t>(bytes.word(status(layout.status_source), UINT32_MAX));
    request.source_tag =
        static_cast<std::int32_t>(bytes.word(status(layout.status_tag), UINT32_MAX));
    const int low = status(layout.status_count_lo);
    const int high = status(layout.status_count_hi);
    if (low < 0 || high < 0) return;
    // The lowest bit of the upper word says that the operation was cancelled.
    const std::uint32_t upper = bytes.word(high, 0);
    request.cancelled = (upper & 1) != 0;
    request.message_bytes = static_cast<std::int64_t>(std::uint64_t{upper >> 1} << 32 |
                                                      std::uint64_t{bytes.word(low, 0)});
}

/// What every device has.
Request decode_common(const RequestBytes& bytes, std::uint64_t address) {
    const Layout& layout = bytes.layout();
    Request request;
    request.address = address;
    request.handle = bytes.word(layout.request_handle, 0);
    request.kind = kind_of(layout.kinds, bytes.word(layout.request_kind, 0));
    request.cc = static_cast<std::int32_t>(bytes.word(layout.request_cc, 1));
    request.cc_ptr = bytes.pointer(layout.request_cc_ptr);
    request.comm = bytes.pointer(layout.request_comm);
    request.next = bytes.pointer(layout.request_next);
    request.real_request = bytes.pointer(real_request_offset(layout, request.kind));
    if (request.kind == RequestKind::Send || request.kind == RequestKind::PersistentSend) {
        request.debug_entry = bytes.pointer(layout.debug_entry_offset());
    } else if (request.kind == RequestKind::Receive) {
        request.debug_entry = bytes.pointer(layout.request_recv);
    }
    if (request.kind == RequestKind::PartitionedSend ||
        request.kind == RequestKind::PartitionedReceive) {
        // struct {int partitions; int active_flag;}
        const int partitions = layout.request_u;
        const int active = partitions < 0 ? -1 : partitions + 4;
        request.partitions = static_cast<std::int32_t>(bytes.word(partitions, 0));
        request.active = bytes.word(active, 0) != 0;
    }
    decode_status(bytes, request);
    return request;
}

/// What ch4 does not keep in the request that carries a persistent transfer,
/// the user's own has.
void inherit(Request& real, const Request& persistent) {
    const bool hidden =
        real.kind == RequestKind::Send || real.way == RequestWay::Native || real.comm == 0;
    if (!hidden || persistent.kind == RequestKind::PersistentCollective) return;
    real.comm = persistent.comm;
    real.rank = persistent.rank;
    real.tag = persistent.tag;
    real.context = persistent.context;
    real.buffer = persistent.buffer;
    real.count = persistent.count;
    real.datatype = persistent.datatype;
    if (real.kind == RequestKind::Send) real.type = persistent.type;
}

/// Of a request whose device is unknown.
void forget_envelope(Request& request) {
    request.rank = request.tag = kUndefined;
    request.context = kUnknownContext;
    if (request.kind == RequestKind::Receive) request.type = RequestType::Receive;
    if (request.kind == RequestKind::Send) request.type = RequestType::AnySend;
}

}  // namespace

Request RequestTable::decode(const Target& target,
                             std::uint64_t address,
                             const unsigned char* bytes,
                             RequestWay way) const {
    const RequestBytes request_bytes(target, layout_, bytes);
    Request request = decode_common(request_bytes, address);
    if (layout_.device == Device::Ch4) {
        request.way = way != RequestWay::Common || communicators_ == nullptr
                          ? way
                          : ch4_way(request, ch4_is_local(request_bytes), native_, *communicators_);
        decode_ch4(request_bytes, request);
    } else if (layout_.device == Device::Ch3) {
        decode_ch3(request_bytes, request);
    } else {
        forget_envelope(request);
    }
    if (request.message_bytes < 0) request.message_bytes = -1;
    return request;
}

Status RequestTable::add(const Target& target,
                         std::uint64_t address,
                         const unsigned char* bytes,
                         RequestWay way) {
    if (requests_.size() >= kMostRequests) return Status::CorruptData;
    const auto index = static_cast<std::uint32_t>(requests_.size());
    if (!by_address_.insert(address, index) ||
        !requests_.push(decode(target, address, bytes, way))) {
        return Status::OutOfMemory;
    }
    return Status::Ok;
}

Status RequestTable::add_recorded(const Request& request, bool persistent, std::uint32_t& index) {
    index = static_cast<std::uint32_t>(requests_.size());
    if (!requests_.push(request)) return Status::OutOfMemory;
    if (persistent) requests_[index].persistent = index;
    return Status::Ok;
}

Status RequestTable::load_pool(const Target& target,
                               const unsigned char* header,
                               IndexMap& blocks) {
    HandlePool pool;
    Status status = read_pool(target, layout_, header, pool);
    if (!ok(status)) return status;
    if (pool.blocks.empty()) return Status::Ok;
    if (pool.object_bytes < static_cast<std::uint32_t>(bytes_needed_)) return Status::CorruptData;
    Array<unsigned char> buffer;
    for (const PoolBlock& block : pool.blocks) {
        objects_visited_ += block.objects;
        // A block twice would list its requests twice.
        if (objects_visited_ > kMostObjects || blocks.find(block.address) != kMissing) {
            return Status::CorruptData;
        }
        if (!blocks.insert(block.address, 0)) return Status::OutOfMemory;
        status = for_each_object(target,
                                 block,
                                 pool.object_bytes,
                                 buffer,
                                 [&](std::uint64_t address, const unsigned char* bytes) {
                                     // A request that was given back has no references;
                                     // --enable-g=mem leaves a negative number. One that was never
                                     // used has no handle, or none either.
                                     if (target.int_at(bytes + layout_.request_ref_count) <= 0)
                                         return Status::Ok;
                                     const auto handle = static_cast<std::uint32_t>(
                                         target.int_at(bytes + layout_.request_handle));
                                     if (!is_handle_of(handle, ObjectKind::Request))
                                         return Status::Ok;
                                     return add(target, address, bytes, RequestWay::Common);
                                 });
        if (!ok(status)) return status;
    }
    return Status::Ok;
}

Status RequestTable::load(const Target& target,
                          const Layout& layout,
                          const Symbols& symbols,
                          const CommunicatorTable& communicators,
                          NativeMessages native) {
    layout_ = layout;
    communicators_ = &communicators;
    native_ = native;
    bytes_needed_ = request_extent(layout);
    if (!layout.has_request_pool() || symbols.request_mem == 0) return Status::NoInformation;
    const std::size_t header_bytes = pool_header_bytes(layout);
    // An array of pools since MPICH 3.4, one pool before; ch3 uses the first.
    const auto stride = static_cast<std::size_t>(std::max(layout.pool_bytes, 0));
    Array<unsigned char> headers;
    int pools = stride < header_bytes ? 1 : kMostPools;
    Status status = Status::NoInformation;
    if (pools > 1) status = target.read(symbols.request_mem, stride * kMostPools, headers);
    if (!ok(status)) {
        pools = 1;
        status = target.read(symbols.request_mem, header_bytes, headers);
        if (!ok(status)) return status;
    }
    IndexMap blocks;
    status = load_pool(target, headers.data(), blocks);
    for (int i = 1; ok(status) && i < pools; ++i) {
        const unsigned char* header = headers.data() + static_cast<std::size_t>(i) * stride;
        // Behind a single pool there is something else.
        if (target.int_at(header + layout.pool_object_size) !=
                target.int_at(headers.data() + layout.pool_object_size) ||
            target.int_at(header + layout.pool_initialized) != 1) {
            continue;
        }
        status = load_pool(target, header, blocks);
    }
    link_persistent();
    return status;
}

void RequestTable::link_persistent() {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
        Request& request = requests_[i];
        if (request.real_request == 0) continue;
        const std::uint32_t real = find(request.real_request);
        if (real == kMissing || is_persistent(requests_[real].kind)) {
            // What is no request shows that the place was misjudged, or is in change.
            request.real_request = 0;
            continue;
        }
        requests_[real].persistent = static_cast<std::uint32_t>(i);
        if (layout_.device == Device::Ch4) inherit(requests_[real], request);
    }
}

Status RequestTable::find_or_read(const Target& target,
                                  std::uint64_t address,
                                  RequestWay way,
                                  std::uint32_t& index) {
    index = find(address);
    if (index != kMissing && (way == RequestWay::Common || requests_[index].way == way)) {
        return Status::Ok;
    }
    Array<unsigned char> bytes;
    Status status = target.read(address, static_cast<std::size_t>(bytes_needed_), bytes);
    if (!ok(status)) return status;
    if (index != kMissing) {
        Request again = decode(target, address, bytes.data(), way);
        again.listed = requests_[index].listed;
        again.persistent = requests_[index].persistent;
        requests_[index] = again;
        return Status::Ok;
    }
    status = add(target, address, bytes.data(), way);
    if (!ok(status)) return status;
    index = static_cast<std::uint32_t>(requests_.size() - 1);
    return Status::Ok;
}

Status RequestTable::is_pending(const Target& target, const Request& request, bool& pending) const {
    pending = request.cc != 0;
    if (layout_.request_cc_ptr < 0 || layout_.request_cc < 0) return Status::Ok;
    const auto offset = static_cast<std::uint64_t>(layout_.request_cc);
    const std::uint64_t owner = request.cc_ptr - offset;
    if (owner == request.address) return Status::Ok;
    const std::uint32_t index = find(owner);
    if (index != kMissing) {
        pending = requests_[index].cc != 0;
        return Status::Ok;
    }
    std::int32_t counter = 0;
    const Status status = target.read_int(request.cc_ptr, counter);
    pending = counter != 0;
    return status;
}

}  // namespace mqinspect::dll
