#include "mqs_dll/collectives.h"

#include <algorithm>
#include <initializer_list>

#include "mqs_dll/snapshot.h"

namespace mqinspect::dll {
namespace {

// MPIR_FIRST_NBC_TAG: behind the tags of the blocking collectives and of hcoll.
constexpr std::int32_t kFirstTagOfLibraries = 31;  // MPIR_FIRST_HCOLL_TAG
constexpr std::int32_t kFirstTag = kFirstTagOfLibraries + 255 + 1;
constexpr std::size_t kMostSchedules = std::size_t{1} << 20;
constexpr int kMostVertices = 1 << 16;  // of all operations together

std::int32_t sequence_of(std::int32_t tag) {
    return tag < kFirstTag ? -1 : tag - kFirstTag;
}

/// MPII_Genutil_vtx_kind_e, those that say where and with which tag.
bool names_peer(std::int32_t vertex_kind) {
    return vertex_kind == 0 || vertex_kind == 1 || vertex_kind == 2 || vertex_kind == 4;
}

struct Started {
    std::uint64_t request = 0;
    std::uint64_t comm = 0;  ///< 0: the request says
    std::int32_t tag = -1;
};

/// A vertex that is under way.
struct Part {
    std::uint64_t comm = 0;
    std::uint64_t request = 0;
    std::int32_t rank = -1;
    bool receives = false;
};

class Reader {
public:
    Reader(const Target& target, const Layout& layout, const Symbols& symbols, Snapshot& snapshot)
        : target_(target), layout_(layout), symbols_(symbols), snapshot_(snapshot) {}

    Status read_schedules(OperationQueue& queue);
    Status read_generic(OperationQueue& queue);
    Status read_complete(OperationQueue& queue);

private:
    Status first_of(std::uint64_t variable, int field, std::uint64_t& first) const {
        return target_.read_pointer(variable + static_cast<std::uint64_t>(field), first);
    }
    Status read_bytes(std::uint64_t address, std::initializer_list<int> fields) {
        return target_.read(address, static_cast<std::size_t>(std::max(fields)) + 8, bytes_);
    }
    std::uint64_t pointer(int field) const { return target_.pointer_at(bytes_.data() + field); }
    std::int32_t word(int field) const { return target_.int_at(bytes_.data() + field); }

    Status read_vertices(std::uint64_t first, Started& started);
    Status add(OperationQueue& queue, const Started& started);
    Status add_schedule(OperationQueue& queue, std::size_t before, std::uint64_t schedule);
    Status add_vertices(const OperationQueue& queue, std::size_t before);
    Status add(OperationQueue& queue, std::uint32_t index, std::uint64_t comm, std::int32_t tag);

    const Target& target_;
    const Layout& layout_;
    const Symbols& symbols_;
    Snapshot& snapshot_;
    Array<unsigned char> bytes_;
    Array<Part> parts_;  ///< of the generic engine's operation at hand
    int vertices_left_ = kMostVertices;
};

Status Reader::add(OperationQueue& queue,
                   std::uint32_t index,
                   std::uint64_t comm,
                   std::int32_t tag) {
    RequestTable& requests = snapshot_.requests;
    Request& request = requests[index];
    request.listed = true;
    const CommunicatorTable& table = snapshot_.communicators;
    std::uint32_t communicator = table.find(comm);
    if (communicator == CommunicatorTable::kMissing) return Status::Ok;
    if (!snapshot_.shows_internal) communicator = table.parent(communicator);
    if (communicator == CommunicatorTable::kMissing) return Status::Ok;
    bool pending = false;
    const Status status = requests.is_pending(target_, request, pending);
    if (!ok(status)) return status;
    Operation operation;
    operation.request = index;
    operation.communicator = communicator;
    operation.kind = mqs_op_collective;
    operation.nonblocking = true;
    operation.tag = tag;
    operation.sequence = sequence_of(tag);
    operation.status = pending ? mqs_st_pending : mqs_st_complete;
    return queue.add(operation) ? Status::Ok : Status::OutOfMemory;
}

Status Reader::add(OperationQueue& queue, const Started& started) {
    const std::uint32_t index = snapshot_.requests.find(started.request);
    if (index == RequestTable::kMissing) return Status::CorruptData;
    const Request& request = snapshot_.requests[index];
    const bool transfers =
        request.kind >= RequestKind::Send && request.kind <= RequestKind::PersistentReceive;
    if (transfers || request.listed) return Status::CorruptData;
    return add(queue, index, started.comm != 0 ? started.comm : request.comm, started.tag);
}

Status Reader::read_schedules(OperationQueue& queue) {
    if (symbols_.all_schedules == 0 || layout_.sched_state_head < 0 || layout_.sched_tag < 0 ||
        layout_.sched_req < 0 || layout_.sched_next < 0) {
        return Status::NoInformation;
    }
    std::uint64_t next = 0;
    Status status = first_of(symbols_.all_schedules, layout_.sched_state_head, next);
    for (std::size_t i = 0; ok(status) && next != 0; ++i) {
        if (i >= kMostSchedules) return Status::CorruptData;
        status = read_bytes(next, {layout_.sched_tag, layout_.sched_req, layout_.sched_next});
        if (!ok(status)) return status;
        const std::uint64_t schedule = next;
        next = pointer(layout_.sched_next);
        // A loop comes back to a request that is listed.
        Started started;
        started.request = pointer(layout_.sched_req);
        started.tag = word(layout_.sched_tag);
        const std::size_t before = queue.size();
        status = add(queue, started);
        if (ok(status)) status = add_schedule(queue, before, schedule);
    }
    return status;
}

/// The engine's request has no communicator; its vertices have one each, and a tag.
Status Reader::read_vertices(std::uint64_t first, Started& started) {
    // u.isend, irecv, irecv_status and issend begin alike: buffer, count, datatype, peer,
    // tag, communicator. None of them has a type name that a debugger could look up.
    const int tag_field = layout_.vertex_u + 2 * layout_.pointer_size + 8;
    const int comm_field =
        layout_.vertex_u + (layout_.pointer_size == 8 ? 32 : 2 * layout_.pointer_size + 12);
    const int request_field = comm_field + layout_.pointer_size;
    parts_.clear();
    while (first != 0) {
        if (--vertices_left_ < 0) return Status::CorruptData;
        const Status status = read_bytes(
            first,
            {layout_.vertex_kind, tag_field, comm_field, request_field, layout_.vertex_next});
        if (!ok(status)) return status;
        first = pointer(layout_.vertex_next);
        const std::int32_t kind = word(layout_.vertex_kind);
        if (!names_peer(kind)) continue;
        const std::uint64_t comm = pointer(comm_field);
        if (snapshot_.communicators.find(comm) == CommunicatorTable::kMissing) continue;
        const std::int32_t tag = word(tag_field);
        const bool receives = kind == 1 || kind == 2;
        if (!parts_.push({comm, pointer(request_field), word(tag_field - 4), receives})) {
            return Status::OutOfMemory;
        }
        started.comm = comm;
        if (started.tag < 0 || tag < started.tag) started.tag = tag;
    }
    return Status::Ok;
}

Status Reader::read_generic(OperationQueue& queue) {
    if (symbols_.coll_queue == 0 || layout_.coll_queue_head < 0 || layout_.coll_req_sched < 0 ||
        layout_.coll_req_next < 0 || layout_.gen_sched_req < 0 ||
        layout_.gen_sched_issued_head < 0 || layout_.vertex_kind < 0 || layout_.vertex_u < 0 ||
        layout_.vertex_next < 0) {
        return Status::NoInformation;
    }
    std::uint64_t next = 0;
    Status status = first_of(symbols_.coll_queue, layout_.coll_queue_head, next);
    for (std::size_t i = 0; ok(status) && next != 0; ++i) {
        if (i >= kMostSchedules) return Status::CorruptData;
        status = read_bytes(next, {layout_.coll_req_sched, layout_.coll_req_next});
        if (!ok(status)) return status;
        const std::uint64_t schedule = pointer(layout_.coll_req_sched);
        next = pointer(layout_.coll_req_next);
        status = read_bytes(schedule, {layout_.gen_sched_req, layout_.gen_sched_issued_head});
        if (!ok(status)) return status;
        Started started;
        started.request = pointer(layout_.gen_sched_req);
        status = read_vertices(pointer(layout_.gen_sched_issued_head), started);
        const std::size_t before = queue.size();
        if (ok(status)) status = add(queue, started);
        if (ok(status)) status = add_vertices(queue, before);
    }
    return status;
}

/// What the operation that was just added, if it was, waits for.
Status Reader::add_vertices(const OperationQueue& queue, std::size_t before) {
    if (queue.size() == before) return Status::Ok;
    const Operation& operation = queue[before];
    SchedulePeers& peers = snapshot_.schedule_peers;
    peers.begin(operation.request);
    Status status = Status::Ok;
    for (const Part& part : parts_) {
        const int direction = part.receives ? mqs_peers_receive : mqs_peers_send;
        if (!ok(status)) return status;
        status = peers.add_part(target_,
                                snapshot_,
                                operation.communicator,
                                direction,
                                part.comm,
                                part.rank,
                                part.request);
    }
    return ok(status) ? peers.end() : status;
}

Status Reader::add_schedule(OperationQueue& queue, std::size_t before, std::uint64_t schedule) {
    if (queue.size() == before || !layout_.schedules.is_known()) return Status::Ok;
    Operation& operation = queue.last();
    SchedulePeers& peers = snapshot_.schedule_peers;
    peers.begin(operation.request);
    bool plain = false;
    const Status status =
        peers.add_schedule(target_, layout_, snapshot_, operation.communicator, schedule, plain);
    if (plain) operation.kind = mqs_op_sendrecv;
    return ok(status) ? peers.end() : status;
}

Status Reader::read_complete(OperationQueue& queue) {
    for (std::size_t i = 0; i < snapshot_.requests.size(); ++i) {
        const Request& request = snapshot_.requests[i];
        if (request.kind != RequestKind::Collective || request.listed || request.comm == 0)
            continue;
        const Status status = add(queue, static_cast<std::uint32_t>(i), request.comm, -1);
        if (!ok(status)) return status;
    }
    return Status::Ok;
}

}  // namespace

void read_collectives(const Target& target,
                      const Layout& layout,
                      const Symbols& symbols,
                      Status pools,
                      Snapshot& snapshot) {
    OperationQueue& queue = snapshot.queues[mqs_pending_collectives];
    queue.status = pools;
    if (!ok(pools) || layout.request_comm < 0) return;
    Reader reader(target, layout, symbols, snapshot);
    const Status schedules = reader.read_schedules(queue);
    const Status generic = reader.read_generic(queue);
    if (schedules == Status::NoInformation && generic == Status::NoInformation) {
        queue.status = Status::NoInformation;
        return;
    }
    for (const Status status : {schedules, generic}) {
        if (ok(queue.status) && status != Status::NoInformation) queue.status = status;
    }
    if (ok(queue.status)) queue.status = reader.read_complete(queue);
}

std::int64_t collectives_started(const Communicator& communicator) {
    if (communicator.recorded_id != 0) return communicator.recorded_collectives;
    return communicator.next_sched_tag < kFirstTag ? -1 : communicator.next_sched_tag - kFirstTag;
}

bool is_collective_tag(const Communicator& communicator, std::int32_t tag) {
    const bool of_blocking = tag >= 1 && tag < kFirstTagOfLibraries;
    return of_blocking || (tag >= kFirstTag && tag < communicator.next_sched_tag);
}

}  // namespace mqinspect::dll
