/// From the handles of the MPI library to what the recorder knows of them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "tracer/log/memory.h"

namespace mqinspect::tracer {

/// Handles are integers in one library and pointers in another.
template <class T>
std::uint64_t handle_bits(T handle) {
    if constexpr (std::is_pointer_v<T>) {
        return reinterpret_cast<std::uint64_t>(handle);
    } else {
        return static_cast<std::uint64_t>(static_cast<std::uint32_t>(handle));
    }
}

/// Of a handle, or of what stands for one; tables take the lowest bits of it.
constexpr std::size_t hash_of(std::uint64_t handle) {
    return static_cast<std::size_t>((handle * 0x9e37'79b9'7f4a'7c15ULL) >> 32U);
}

/// Thread-safe; find() takes no lock. What it points to is never given back.
class HandleMap {
public:
    /// Null: unknown.
    void* find(std::uint64_t handle) const {
        const Table* table = table_.load(std::memory_order_acquire);
        if (table == nullptr) [[unlikely]]
            return nullptr;
        // The value of a free place is null.
        return place_of(*table, handle + 1).value.load(std::memory_order_acquire);
    }
    /// False: out of memory.
    bool put(std::uint64_t handle, void* value);
    void remove(std::uint64_t handle);

private:
    struct Slot {
        std::atomic<std::uint64_t> key{0};  ///< handle + 1; 0: free. Stays when the value goes
        std::atomic<void*> value{nullptr};
    };
    struct Table {
        std::size_t mask = 0;  ///< size - 1, which is a power of two
        std::size_t used = 0;
        Slot* slots = nullptr;
    };

    /// Where the key is, or the free place where it belongs.
    static Slot& place_of(const Table& table, std::uint64_t key) {
        for (std::size_t at = hash_of(key);; ++at) {
            Slot& slot = table.slots[at & table.mask];
            const std::uint64_t found = slot.key.load(std::memory_order_acquire);
            if (found == key || found == 0) return slot;
        }
    }
    Table* grown();

    SpinLock lock_;
    Arena arena_;
    std::atomic<Table*> table_{nullptr};
};

/// The same with the type of what is known.
template <class T>
class Handles {
public:
    T* find(std::uint64_t handle) const { return static_cast<T*>(map_.find(handle)); }
    bool put(std::uint64_t handle, T* value) { return map_.put(handle, value); }
    void remove(std::uint64_t handle) { map_.remove(handle); }

private:
    HandleMap map_;
};

}  // namespace mqinspect::tracer
