#include "tracer/handles/request_table.h"

#include "tracer/log/memory.h"

namespace mqinspect::tracer {

using pending::Kind;

RequestInfo* RequestTable::find_among(std::uint64_t handle, const void* place) {
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

RequestInfo* RequestTable::find_not_taken(std::uint64_t handle, const void* place) {
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

void RequestTable::forget_taken(std::uint64_t handle) {
    for (std::size_t at = hash_of(handle) & mask(); is_taken(at); at = (at + 1) & mask())
        if (entries_[at].operation.handle == handle) entries_[at].taken = false;
}

RequestInfo* RequestTable::find_number(std::uint64_t handle, std::int64_t id) {
    if (entries_ == nullptr) return nullptr;
    for (std::size_t at = hash_of(handle) & mask(); is_taken(at); at = (at + 1) & mask())
        if (is_it(entries_[at], handle, id)) return &entries_[at];
    return nullptr;
}

std::size_t RequestTable::free_place(std::uint64_t handle) const {
    std::size_t at = hash_of(handle) & mask();
    while (is_taken(at))
        at = (at + 1) & mask();
    return at;
}

bool RequestTable::grow() {
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
[[gnu::hot]] void RequestTable::remove(RequestInfo* entry) {
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

}  // namespace mqinspect::tracer
