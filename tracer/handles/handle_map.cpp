#include "tracer/handles/handle_map.h"

namespace mqinspect::tracer {

namespace {

constexpr std::size_t kFirstSize = 256;

}  // namespace

/// A table with room; readers may still be in the old one, so that it stays.
HandleMap::Table* HandleMap::grown() {
    Table* old = table_.load(std::memory_order_relaxed);
    const std::size_t old_size = old == nullptr ? 0 : old->mask + 1;
    if (old != nullptr && old->used < old_size / 2) return old;
    std::size_t live = 0;
    for (std::size_t i = 0; i < old_size; ++i)
        if (old->slots[i].value.load(std::memory_order_relaxed) != nullptr) ++live;
    auto* table = arena_.make<Table>();
    if (table == nullptr) return nullptr;
    std::size_t size = kFirstSize;
    while (size < 4 * live)
        size *= 2;
    table->mask = size - 1;
    table->slots = arena_.take_array<Slot>(size);
    if (table->slots == nullptr) return nullptr;
    for (std::size_t i = 0; i < old_size; ++i) {
        void* value = old->slots[i].value.load(std::memory_order_relaxed);
        if (value == nullptr) continue;
        const std::uint64_t key = old->slots[i].key.load(std::memory_order_relaxed);
        Slot& slot = place_of(*table, key);
        slot.value.store(value, std::memory_order_relaxed);
        slot.key.store(key, std::memory_order_relaxed);
        ++table->used;
    }
    table_.store(table, std::memory_order_release);
    return table;
}

bool HandleMap::put(std::uint64_t handle, void* value) {
    const Locked locked(lock_);
    Table* table = grown();
    if (table == nullptr) return false;
    Slot& slot = place_of(*table, handle + 1);
    slot.value.store(value, std::memory_order_release);
    if (slot.key.load(std::memory_order_relaxed) == 0) {
        slot.key.store(handle + 1, std::memory_order_release);
        ++table->used;
    }
    return true;
}

void HandleMap::remove(std::uint64_t handle) {
    const Locked locked(lock_);
    const Table* table = table_.load(std::memory_order_relaxed);
    if (table == nullptr) return;
    Slot& slot = place_of(*table, handle + 1);
    if (slot.key.load(std::memory_order_relaxed) != 0)
        slot.value.store(nullptr, std::memory_order_release);
}

}  // namespace mqinspect::tracer
