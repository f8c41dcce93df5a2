/// The requests, or matched messages, that there are: what was known of each when it was made.
#pragma once

#include <cstddef>
#include <cstdint>

#include "include/pending_operations.h"

#include "tracer/handles/handle_map.h"
#include "tracer/handles/requests.h"

#if defined(OPEN_MPI)
/// The library's request that is complete at once (ompi/request/request.h).
extern "C" __attribute__((weak)) char ompi_request_empty;
#endif

namespace mqinspect::tracer {

inline std::uint64_t address_of(const void* place) {
    return reinterpret_cast<std::uint64_t>(place);
}

/// Of requests that are complete at once: there may be many at a time.
inline bool is_of_many(std::uint64_t handle) {
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
class RequestTable {
public:
    /// `shown`: where debuggers find it.
    constexpr explicit RequestTable(pending::Table& shown) : shown_(shown) {}

    /// Of several, the newest of those whose variable it is, else the oldest.
    RequestInfo* find(std::uint64_t handle, const void* place) {
        if (entries_ == nullptr) return nullptr;
        if (is_of_many(handle)) [[unlikely]]
            return find_among(handle, place);
        RequestInfo& first = entries_[hash_of(handle) & mask()];
        const pending::Operation& operation = first.operation;
        const bool found = operation.kind != pending::Kind::None && operation.handle == handle &&
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
        return operation.kind != pending::Kind::None && operation.handle == handle &&
               operation.id == id;
    }
    [[gnu::cold]] RequestInfo* find_among(std::uint64_t handle, const void* place);
    [[gnu::cold]] bool grow();
    std::size_t mask() const { return size_ - 1; }
    bool is_taken(std::size_t at) const {
        return entries_[at].operation.kind != pending::Kind::None;
    }
    std::size_t free_place(std::uint64_t handle) const;

    static constexpr std::size_t kFirstSize = 1024;
    /// Programs that never complete such requests must not make the table long.
    static constexpr std::size_t kMostOfOne = 1024;
    pending::Table& shown_;
    RequestInfo* entries_ = nullptr;
    std::size_t size_ = 0;
    std::size_t count_ = 0;
};

}  // namespace mqinspect::tracer
