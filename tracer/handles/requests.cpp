#include "tracer/handles/requests.h"

#include "model/record_format.h"

#include "tracer/handles/handle_map.h"
#include "tracer/log/memory.h"

namespace mqinspect::tracer {

namespace {

struct Entry {
    std::uint64_t handle = 0;
    const void* place = nullptr;
    bool taken = false;
    RequestInfo info;
};

std::size_t hash_of(std::uint64_t handle) {
    return static_cast<std::size_t>((handle * 0x9e37'79b9'7f4a'7c15ULL) >> 32U);
}

/// A hash table with linear probing; entries of one handle may be several.
class Table {
public:
    /// The caller holds the lock.
    Entry* find(std::uint64_t handle, const void* place);
    Entry* find_number(std::uint64_t handle, std::int64_t id);
    bool add(const Entry& entry);
    void remove(Entry* entry);

    SpinLock lock;

private:
    bool grow();
    std::size_t mask() const { return size_ - 1; }

    static constexpr std::size_t kFirstSize = 1024;
    Entry* entries_ = nullptr;
    std::size_t size_ = 0;
    std::size_t count_ = 0;
};

/// Of several, the one whose variable it is, else the oldest.
Entry* Table::find(std::uint64_t handle, const void* place) {
    Entry* found = nullptr;
    if (entries_ == nullptr) return nullptr;
    for (std::size_t at = hash_of(handle) & mask(); entries_[at].taken; at = (at + 1) & mask()) {
        Entry& entry = entries_[at];
        if (entry.handle != handle) continue;
        if (entry.place == place) return &entry;
        if (found == nullptr || entry.info.id < found->info.id) found = &entry;
    }
    return found;
}

Entry* Table::find_number(std::uint64_t handle, std::int64_t id) {
    if (entries_ == nullptr) return nullptr;
    for (std::size_t at = hash_of(handle) & mask(); entries_[at].taken; at = (at + 1) & mask())
        if (entries_[at].handle == handle && entries_[at].info.id == id) return &entries_[at];
    return nullptr;
}

bool Table::grow() {
    const std::size_t size = size_ == 0 ? kFirstSize : size_ * 2;
    auto* larger = static_cast<Entry*>(map_pages(size * sizeof(Entry)));
    if (larger == nullptr) return false;
    Entry* old = entries_;
    const std::size_t old_size = size_;
    entries_ = larger;
    size_ = size;
    count_ = 0;
    for (std::size_t i = 0; i < old_size; ++i)
        if (old[i].taken) add(old[i]);
    unmap_pages(old, old_size * sizeof(Entry));
    return true;
}

/// What another request has left at the same place is no more.
bool Table::add(const Entry& entry) {
    Entry* old = entry.place == nullptr ? nullptr : find(entry.handle, entry.place);
    if (old != nullptr && old->place == entry.place) {
        old->info = entry.info;
        return true;
    }
    if (2 * (count_ + 1) > size_ && !grow()) return false;
    std::size_t at = hash_of(entry.handle) & mask();
    while (entries_[at].taken)
        at = (at + 1) & mask();
    entries_[at] = entry;
    entries_[at].taken = true;
    ++count_;
    return true;
}

/// Moves those back that had to go past the place that becomes free.
void Table::remove(Entry* entry) {
    auto hole = static_cast<std::size_t>(entry - entries_);
    for (std::size_t at = (hole + 1) & mask(); entries_[at].taken; at = (at + 1) & mask()) {
        const std::size_t home = hash_of(entries_[at].handle) & mask();
        if (((at - home) & mask()) < ((at - hole) & mask())) continue;
        entries_[hole] = entries_[at];
        hole = at;
    }
    entries_[hole].taken = false;
    --count_;
}

Table requests;
Table messages;
std::atomic<std::int64_t> next_id{0};

}  // namespace

std::int64_t request_started(const Operation& operation, const MPI_Request* place) {
    if (*place == MPI_REQUEST_NULL) return model::kNullHandle;
    Entry entry;
    entry.handle = handle_bits(*place);
    entry.place = place;
    entry.info = {next_id.fetch_add(1, std::memory_order_relaxed), operation};
    const Locked locked(requests.lock);
    requests.add(entry);
    return entry.info.id;
}

std::int64_t request_id(MPI_Request request, const MPI_Request* place) {
    if (request == MPI_REQUEST_NULL) return model::kNullHandle;
    const Locked locked(requests.lock);
    const Entry* entry = requests.find(handle_bits(request), place);
    return entry == nullptr ? model::kInvalidHandle : entry->info.id;
}

bool request_info(MPI_Request request, const MPI_Request* place, RequestInfo& info) {
    if (request == MPI_REQUEST_NULL) return false;
    const Locked locked(requests.lock);
    const Entry* entry = requests.find(handle_bits(request), place);
    if (entry != nullptr) info = entry->info;
    return entry != nullptr;
}

void request_ended(std::int64_t id, MPI_Request request) {
    const Locked locked(requests.lock);
    Entry* entry = requests.find_number(handle_bits(request), id);
    if (entry != nullptr) requests.remove(entry);
}

void look_up_requests(const MPI_Request* handles, std::size_t count, GivenRequest* given) {
    const Locked locked(requests.lock);
    for (std::size_t i = 0; i < count; ++i) {
        given[i].handle = handles[i];
        given[i].ended = false;
        const Entry* entry = handles[i] == MPI_REQUEST_NULL
                                 ? nullptr
                                 : requests.find(handle_bits(handles[i]), &handles[i]);
        given[i].known = entry != nullptr;
        if (entry != nullptr) {
            given[i].info = entry->info;
        } else {
            given[i].info.id =
                handles[i] == MPI_REQUEST_NULL ? model::kNullHandle : model::kInvalidHandle;
        }
    }
}

void end_requests(const GivenRequest* given, std::size_t count) {
    const Locked locked(requests.lock);
    for (std::size_t i = 0; i < count; ++i) {
        if (!given[i].ended) continue;
        Entry* entry = requests.find_number(handle_bits(given[i].handle), given[i].info.id);
        if (entry != nullptr) requests.remove(entry);
    }
}

void message_matched(MPI_Message message) {
    if (message == MPI_MESSAGE_NULL || message == MPI_MESSAGE_NO_PROC) return;
    Entry entry;
    entry.handle = handle_bits(message);
    entry.info.id = next_id.fetch_add(1, std::memory_order_relaxed);
    const Locked locked(messages.lock);
    messages.add(entry);
}

std::int64_t message_id(MPI_Message message) {
    if (message == MPI_MESSAGE_NULL) return model::kNullHandle;
    const Locked locked(messages.lock);
    const Entry* entry = messages.find(handle_bits(message), nullptr);
    return entry == nullptr ? model::kInvalidHandle : entry->info.id;
}

void message_received(MPI_Message message) {
    const Locked locked(messages.lock);
    Entry* entry = messages.find(handle_bits(message), nullptr);
    if (entry != nullptr) messages.remove(entry);
}

}  // namespace mqinspect::tracer
