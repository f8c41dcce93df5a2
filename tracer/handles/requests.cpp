#include "tracer/handles/requests.h"

#include "model/record_format.h"

#include "tracer/control/local_memory.h"
#include "tracer/control/pending_buffers.h"
#include "tracer/handles/handle_map.h"
#include "tracer/log/memory.h"
#include "tracer/pending.h"
#include "tracer/recorder.h"

#if defined(OPEN_MPI)
/// The library's request that is complete at once (ompi/request/request.h).
extern "C" __attribute__((weak)) char ompi_request_empty;
#endif

namespace mqinspect::tracer {

namespace {

using pending::Kind;

std::uint64_t address_of(const void* place) {
    return reinterpret_cast<std::uint64_t>(place);
}

/// Of requests that are complete at once: there may be many at a time.
bool is_of_many(std::uint64_t handle) {
#if defined(OPEN_MPI)
    return handle == address_of(&ompi_request_empty);
#else
    // A builtin object (MPICH's src/include/mpir_objects.h): its kind is in the highest two bits.
    constexpr unsigned kind_shift = 30;
    return handle >> kind_shift == 1;
#endif
}

/// A hash table with linear probing; entries of one handle may be several. The caller of all
/// functions holds the lock.
class Table {
public:
    /// `shown`: where debuggers find it.
    constexpr explicit Table(pending::Table& shown) : shown_(shown) {}

    /// Of several, the newest of those whose variable it is, else the oldest.
    RequestInfo* find(std::uint64_t handle, const void* place) {
        if (entries_ == nullptr) return nullptr;
        if (is_of_many(handle)) [[unlikely]]
            return find_among(handle, place);
        RequestInfo& first = entries_[hash_of(handle) & mask()];
        const pending::Operation& operation = first.operation;
        const bool found = operation.kind != Kind::None && operation.handle == handle &&
                           operation.place == address_of(place);
        return found ? &first : find_among(handle, place);
    }
    RequestInfo* find_number(std::uint64_t handle, std::int64_t id);
    /// `hint`: its subscript when it was seen last.
    RequestInfo* find_number(std::uint64_t handle, std::int64_t id, std::size_t hint) {
        RequestInfo& likely = entries_[hint & mask()];
        return is_it(likely, handle, id) ? &likely : find_number(handle, id);
    }
    /// Of a handle of many: of those that are not taken, the newest whose variable it is; with null
    /// the oldest.
    RequestInfo* find_not_taken(std::uint64_t handle, const void* place);
    /// No entry of the handle is taken.
    void forget_taken(std::uint64_t handle);
    /// An entry to fill, whose handle and place are set; what another request has left at the
    /// same place is no more, unless the handle is that of many. Null: out of memory.
    RequestInfo* add(std::uint64_t handle, const void* place) {
        if (2 * (count_ + 1) > size_ && !grow()) return nullptr;
        std::size_t at = hash_of(handle) & mask();
        std::size_t met = 0;
        for (; is_taken(at); at = (at + 1) & mask(), ++met) {
            const pending::Operation& operation = entries_[at].operation;
            if (place != nullptr && operation.handle == handle &&
                operation.place == address_of(place) && (!is_of_many(handle) || met > kMostOfOne))
                return &entries_[at];
        }
        entries_[at].operation.handle = handle;
        entries_[at].operation.place = address_of(place);
        ++count_;
        return &entries_[at];
    }
    void remove(RequestInfo* entry);

    const RequestInfo* entries() const { return entries_; }

private:
    static bool is_it(const RequestInfo& entry, std::uint64_t handle, std::int64_t id) {
        const pending::Operation& operation = entry.operation;
        return operation.kind != Kind::None && operation.handle == handle && operation.id == id;
    }
    [[gnu::cold]] RequestInfo* find_among(std::uint64_t handle, const void* place);
    [[gnu::cold]] bool grow();
    std::size_t mask() const { return size_ - 1; }
    bool is_taken(std::size_t at) const { return entries_[at].operation.kind != Kind::None; }
    std::size_t free_place(std::uint64_t handle) const;

    static constexpr std::size_t kFirstSize = 1024;
    /// Programs that never complete such requests must not make the table long.
    static constexpr std::size_t kMostOfOne = 1024;
    pending::Table& shown_;
    RequestInfo* entries_ = nullptr;
    std::size_t size_ = 0;
    std::size_t count_ = 0;
};

RequestInfo* Table::find_among(std::uint64_t handle, const void* place) {
    RequestInfo* found = nullptr;
    for (std::size_t at = hash_of(handle) & mask(); is_taken(at); at = (at + 1) & mask()) {
        const pending::Operation& operation = entries_[at].operation;
        if (operation.handle != handle) continue;
        const bool here = operation.place == address_of(place);
        if (here && !is_of_many(handle)) return &entries_[at];
        const bool here_before = found != nullptr && found->operation.place == address_of(place);
        const bool better = found == nullptr || (here && !here_before) ||
                            (here == here_before && (operation.id < found->operation.id) != here);
        if (better) found = &entries_[at];
    }
    return found;
}

RequestInfo* Table::find_not_taken(std::uint64_t handle, const void* place) {
    RequestInfo* found = nullptr;
    for (std::size_t at = hash_of(handle) & mask(); is_taken(at); at = (at + 1) & mask()) {
        RequestInfo& entry = entries_[at];
        const pending::Operation& operation = entry.operation;
        if (operation.handle != handle || entry.taken) continue;
        if (place != nullptr && operation.place != address_of(place)) continue;
        const bool newer = found != nullptr && operation.id > found->operation.id;
        if (found == nullptr || newer == (place != nullptr)) found = &entry;
    }
    return found;
}

void Table::forget_taken(std::uint64_t handle) {
    for (std::size_t at = hash_of(handle) & mask(); is_taken(at); at = (at + 1) & mask())
        if (entries_[at].operation.handle == handle) entries_[at].taken = false;
}

RequestInfo* Table::find_number(std::uint64_t handle, std::int64_t id) {
    if (entries_ == nullptr) return nullptr;
    for (std::size_t at = hash_of(handle) & mask(); is_taken(at); at = (at + 1) & mask())
        if (is_it(entries_[at], handle, id)) return &entries_[at];
    return nullptr;
}

std::size_t Table::free_place(std::uint64_t handle) const {
    std::size_t at = hash_of(handle) & mask();
    while (is_taken(at))
        at = (at + 1) & mask();
    return at;
}

bool Table::grow() {
    const std::size_t size = size_ == 0 ? kFirstSize : size_ * 2;
    auto* larger = static_cast<RequestInfo*>(map_pages(size * sizeof(RequestInfo)));
    if (larger == nullptr) return false;
    RequestInfo* old = entries_;
    const std::size_t old_size = size_;
    entries_ = larger;
    size_ = size;
    for (std::size_t i = 0; i < old_size; ++i) {
        if (old[i].operation.kind != Kind::None)
            entries_[free_place(old[i].operation.handle)] = old[i];
    }
    shown_ = {address_of(entries_), size_};
    unmap_pages(old, old_size * sizeof(RequestInfo));
    return true;
}

/// Moves those back that had to go past the place that becomes free.
[[gnu::hot]] void Table::remove(RequestInfo* entry) {
    auto hole = static_cast<std::size_t>(entry - entries_);
    for (std::size_t at = (hole + 1) & mask(); is_taken(at); at = (at + 1) & mask()) {
        const std::size_t home = hash_of(entries_[at].operation.handle) & mask();
        if (((at - home) & mask()) < ((at - hole) & mask())) continue;
        entries_[hole] = entries_[at];
        hole = at;
    }
    entries_[hole].operation.kind = Kind::None;
    --count_;
}

SpinLock lock;  // of all that follows
constinit Table requests(mqi_pending.requests);
constinit Table messages(mqi_pending.messages);
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
