#include "tracer/handles/requests.h"

#include "model/record_format.h"

#include "tracer/control/local_memory.h"
#include "tracer/control/pending_buffers.h"
#include "tracer/handles/handle_map.h"
#include "tracer/handles/request_table.h"
#include "tracer/log/memory.h"
#include "tracer/pending.h"
#include "tracer/recorder.h"

namespace mqinspect::tracer {

namespace {

using pending::Kind;

SpinLock lock;  // of all that follows
constinit RequestTable requests(mqi_pending.requests);
constinit RequestTable messages(mqi_pending.messages);
std::int64_t next_id = 0;
std::int64_t next_order = 1;

/// The table that debuggers see is being changed.
class Changing {
public:
    Changing() : locked_(lock) { set(1); }
    ~Changing() { set(0); }
    Changing(const Changing&) = delete;
    Changing& operator=(const Changing&) = delete;

private:
    /// In front of, and behind, all other writes.
    static void set(std::uint32_t value) {
        std::atomic_signal_fence(std::memory_order_seq_cst);
        mqi_pending.changing = value;
        std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    Locked locked_;
};

[[gnu::always_inline]] inline void fill(const NewOperation& from, RequestInfo& to) {
    pending::Operation& operation = to.operation;
    operation.id = next_id++;
    operation.order = next_order++;
    operation.persistent = from.persistent ? 1 : 0;
    operation.active = 0;
    operation.sequence = -1;
    describe(from, operation);
    if (from.kind == Kind::SendReceive) to.received = from.received;
    if (from.kind == Kind::Collective) {
        operation.count = 1;
        operation.element_bytes = from.count;
        if (!from.persistent && from.communicator != nullptr)
            operation.sequence = from.communicator->shown.collectives++;
    }
    to.datatype = from.datatype;
    to.communicator = from.communicator;
    to.partitions = from.partitions;
    to.told = false;
    to.taken = false;
    operation.kind = from.kind;
}

[[gnu::always_inline]] inline void fill(const RequestInfo& from, GivenRequest& to) {
    const pending::Operation& operation = from.operation;
    to.id = operation.id;
    to.persistent = operation.persistent != 0;
    to.active = operation.active != 0;
    to.kind = operation.kind;
    to.peer = operation.peer;
    to.tag = operation.tag;
    to.count = operation.count;
    to.buffer = from.buffer();
    to.datatype = from.datatype;
    to.communicator = from.communicator;
    to.told = from.told;
    to.place = static_cast<std::size_t>(&from - requests.entries());
}

/// Each of them is another one: first those whose variables they are in. Where there are no more,
/// the program gives one twice.
[[gnu::cold]] void look_up_those_of_many(const MPI_Request* handles,
                                         std::size_t count,
                                         GivenRequest* given) {
    const auto take = [&](std::size_t i, const void* place) {
        RequestInfo* const entry = requests.find_not_taken(handle_bits(handles[i]), place);
        if (entry == nullptr) return;
        entry->taken = true;
        fill(*entry, given[i]);
        given[i].known = false;
    };
    const auto is_open = [&](std::size_t i) {
        return given[i].known && is_of_many(handle_bits(handles[i]));
    };
    for (std::size_t i = 0; i < count; ++i)
        if (is_open(i)) take(i, &handles[i]);
    for (std::size_t i = 0; i < count; ++i)
        if (is_open(i)) take(i, nullptr);
    std::uint64_t last = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t handle = handle_bits(handles[i]);
        if (!is_of_many(handle) || given[i].id < 0) continue;
        given[i].known = true;
        if (handle != last) requests.forget_taken(handle);
        last = handle;
    }
}

/// The call that is open is one of those behind which guards are raised.
[[gnu::hot]] bool is_call_guarded() {
    const Site* const site = innermost_site();
    return site != nullptr && may_be_guarded(*site);
}

/// A send or a receive has started.
[[gnu::always_inline]] inline void uses_buffer(const RequestInfo& info) {
    const pending::Operation& operation = info.operation;
    if (operation.peer == MPI_PROC_NULL) return;
    if (is_receive(operation.kind)) {
        buffer_in_use(
            operation.id, info.buffer(), operation.count, info.datatype, BufferUse::Written);
    } else if (is_send(operation.kind) && is_call_guarded()) [[unlikely]] {
        buffer_in_use(operation.id, info.buffer(), operation.count, info.datatype, BufferUse::Sent);
    }
}

/// MPI_Start, of any request.
[[gnu::noinline]] void starts_using(const RequestInfo& info) {
    uses_buffer(info);
    const pending::Operation& operation = info.operation;
    if (operation.kind != Kind::PartitionedReceive || operation.peer == MPI_PROC_NULL) return;
    const std::int64_t count = operation.count * info.partitions;
    buffer_in_use(operation.id, info.buffer(), count, info.datatype, BufferUse::Written);
}

void uses_partition(const RequestInfo& info, std::int64_t partition) {
    const pending::Operation& operation = info.operation;
    if (operation.kind != Kind::PartitionedSend || info.datatype == nullptr) return;
    if (partition < 0 || partition >= info.partitions || operation.peer == MPI_PROC_NULL) return;
    const std::int64_t offset = partition * operation.count * info.datatype->extent;
    buffer_in_use(operation.id,
                  static_cast<const std::uint8_t*>(info.buffer()) + offset,
                  operation.count,
                  info.datatype,
                  BufferUse::Sent);
}

}  // namespace

[[gnu::always_inline]] static inline std::int64_t started(const NewOperation& operation,
                                                          const MPI_Request* place) {
    if (*place == MPI_REQUEST_NULL) return model::kNullHandle;
    const Changing changing;
    RequestInfo* entry = requests.add(handle_bits(*place), place);
    if (entry == nullptr) {
        pending_is_incomplete();
        return model::kInvalidHandle;
    }
    fill(operation, *entry);
    if (!operation.persistent) uses_buffer(*entry);
    return entry->operation.id;
}

std::int64_t request_started(const NewOperation& operation, const MPI_Request* place) {
    return started(operation, place);
}

[[gnu::hot]] std::int64_t transfer_started(Kind kind,
                                           const char* function,
                                           CommunicatorInfo* communicator,
                                           const void* buffer,
                                           std::int64_t count,
                                           const DatatypeInfo* datatype,
                                           std::uint64_t datatype_handle,
                                           int peer,
                                           int tag,
                                           const MPI_Request* place) {
    if (kind == Kind::SendReceive || kind == Kind::Collective) __builtin_unreachable();
    return started(
        {kind, false, function, communicator, buffer, count, datatype, datatype_handle, peer, tag},
        place);
}

void request_started_again(MPI_Request request, const MPI_Request* place) {
    const Locked locked(lock);
    RequestInfo* entry = requests.find(handle_bits(request), place);
    if (entry == nullptr) return;
    entry->operation.order = next_order++;
    entry->operation.active = 1;
    entry->told = false;
    starts_using(*entry);
    if (entry->operation.kind == Kind::Collective) kept_in_use(entry->operation.id);
    if (is_send(entry->operation.kind) && entry->communicator != nullptr)
        count_sent(*entry->communicator, entry->operation.peer, entry->operation.tag);
}

void partitions_ready(MPI_Request request, std::int64_t low, std::int64_t high) {
    if (!is_call_guarded()) return;
    const Locked locked(lock);
    const RequestInfo* const entry = requests.find(handle_bits(request), nullptr);
    for (std::int64_t i = low; entry != nullptr && i <= high && i < entry->partitions; ++i)
        uses_partition(*entry, i);
}

void partitions_ready(MPI_Request request, const int* partitions, std::int64_t count) {
    for (std::int64_t i = 0; partitions != nullptr && i < count; ++i)
        partitions_ready(request, partitions[i], partitions[i]);
}

void partition_arrived(MPI_Request request) {
    const Locked locked(lock);
    const RequestInfo* const entry = requests.find(handle_bits(request), nullptr);
    if (entry != nullptr) buffer_released(entry->operation.id);
}

void request_told(MPI_Request request) {
    if (request == MPI_REQUEST_NULL) return;
    const Locked locked(lock);
    RequestInfo* const entry = requests.find(handle_bits(request), nullptr);
    if (entry == nullptr) return;
    entry->told = true;
    buffer_released(entry->operation.id);
}

std::int64_t request_id(MPI_Request request, const MPI_Request* place) {
    if (request == MPI_REQUEST_NULL) return model::kNullHandle;
    const Locked locked(lock);
    const RequestInfo* entry = requests.find(handle_bits(request), place);
    return entry == nullptr ? model::kInvalidHandle : entry->operation.id;
}

bool request_info(MPI_Request request, const MPI_Request* place, RequestInfo& info) {
    if (request == MPI_REQUEST_NULL) return false;
    const Locked locked(lock);
    const RequestInfo* entry = requests.find(handle_bits(request), place);
    if (entry != nullptr) info = *entry;
    return entry != nullptr;
}

void request_ended(std::int64_t id, MPI_Request request) {
    const Changing changing;
    RequestInfo* entry = requests.find_number(handle_bits(request), id);
    if (entry != nullptr) requests.remove(entry);
    arguments_released(id);
}

[[gnu::hot]] void look_up_requests(const MPI_Request* handles,
                                   std::size_t count,
                                   GivenRequest* given) {
    const Locked locked(lock);
    bool any_of_many = false;
    for (std::size_t i = 0; i < count; ++i) {
        GivenRequest& one = given[i];
        one.handle = handles[i];
        one.completed = false;
        const bool null = handles[i] == MPI_REQUEST_NULL;
        const std::uint64_t handle = handle_bits(handles[i]);
        const RequestInfo* entry = null ? nullptr : requests.find(handle, &handles[i]);
        one.known = entry != nullptr;
        if (entry == nullptr) {
            one.id = null ? model::kNullHandle : model::kInvalidHandle;
            continue;
        }
        any_of_many |= is_of_many(handle);
        fill(*entry, one);
    }
    if (any_of_many && count > 1) [[unlikely]]
        look_up_those_of_many(handles, count, given);
}

[[gnu::hot]] std::size_t end_requests(const MPI_Request* handles,
                                      std::size_t count,
                                      const GivenRequest* given) {
    const Changing changing;
    std::size_t all_ended = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const GivenRequest& one = given[i];
        const bool ended = one.known && handles[i] == MPI_REQUEST_NULL;
        if (!ended && !one.completed) continue;
        all_ended += ended ? 1 : 0;
        if (!one.completed) stop_counting(one.communicator);
        ended ? arguments_released(one.id) : buffer_released(one.id);
        RequestInfo* entry = requests.find_number(handle_bits(one.handle), one.id, one.place);
        if (entry == nullptr) continue;
        if (ended) {
            requests.remove(entry);
        } else {
            entry->operation.active = 0;
        }
    }
    return all_ended;
}

void message_matched(MPI_Message message,
                     CommunicatorInfo* communicator,
                     const MPI_Status& status,
                     std::int64_t bytes) {
    if (message == MPI_MESSAGE_NULL || message == MPI_MESSAGE_NO_PROC) return;
    const Changing changing;
    RequestInfo* entry = messages.add(handle_bits(message), nullptr);
    if (entry == nullptr) {
        pending_is_incomplete();
        return;
    }
    NewOperation found;
    found.kind = Kind::MatchedReceive;
    found.communicator = communicator;
    found.count = bytes;
    found.peer = status.MPI_SOURCE;
    found.tag = status.MPI_TAG;
    fill(found, *entry);
}

std::int64_t message_id(MPI_Message message) {
    if (message == MPI_MESSAGE_NULL) return model::kNullHandle;
    const Locked locked(lock);
    const RequestInfo* entry = messages.find(handle_bits(message), nullptr);
    return entry == nullptr ? model::kInvalidHandle : entry->operation.id;
}

NewOperation message_origin(MPI_Message message) {
    NewOperation origin;
    const Locked locked(lock);
    const RequestInfo* entry = messages.find(handle_bits(message), nullptr);
    if (entry == nullptr) return origin;
    origin.communicator = entry->communicator;
    origin.peer = entry->operation.peer;
    origin.tag = entry->operation.tag;
    return origin;
}

void message_taken(MPI_Message message) {
    const Changing changing;
    RequestInfo* entry = messages.find(handle_bits(message), nullptr);
    if (entry != nullptr) messages.remove(entry);
}

}  // namespace mqinspect::tracer
