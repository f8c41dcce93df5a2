/// The locks that a thread holds, by number: the address, and what the two low bits say.
#pragma once

#include <array>
#include <cstdint>

namespace mqinspect::thread_level::checks {

/// For readers: keeps out writers only.
inline constexpr std::uintptr_t kSharedBit = 1;
/// Not only apart, but in an order that each process repeats: `ordered`.
inline constexpr std::uintptr_t kOrderedBit = 2;

inline std::uintptr_t exclusion_of(const volatile void* object, std::uintptr_t bits = 0) {
    return reinterpret_cast<std::uintptr_t>(object) | bits;
}

/// Whether nobody can hold one while somebody else holds the other.
inline bool excludes(std::uintptr_t one, std::uintptr_t other) {
    return ((one ^ other) & ~kSharedBit) == 0 && (one & other & kSharedBit) == 0;
}

/// Held by one thread. Trivial: it lies in the thread's own storage from its start on.
struct Held {
    struct Item {
        std::uintptr_t exclusion;
        std::uint32_t depth;  ///< of the innermost team it was taken in
    };
    std::array<Item, 16> items;
    std::uint32_t count;
    std::uint32_t dropped;  ///< further ones, which are not known

    void add(std::uintptr_t exclusion, std::uint32_t depth) {
        if (count == items.size()) {
            ++dropped;
            return;
        }
        items[count++] = {exclusion, depth};
    }

    /// The one that was taken last, if several are the same, shared or not. It may be unknown:
    /// taken before this library was there.
    void remove(std::uintptr_t exclusion) {
        for (std::uint32_t i = count; i-- > 0;) {
            if (((items[i].exclusion ^ exclusion) & ~kSharedBit) != 0) continue;
            for (--count; i < count; ++i)
                items[i] = items[i + 1];
            return;
        }
        if (dropped > 0) --dropped;
    }
};

}  // namespace mqinspect::thread_level::checks
