/// Sets of barriers of one scope, as bits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace mqinspect::thread_level {

inline constexpr std::uint32_t kWordBits = 64;

inline std::size_t words_for(std::uint32_t bits) {
    return (bits + kWordBits - 1) / kWordBits;
}

inline void set_bit(std::vector<std::uint64_t>& bits, std::uint32_t bit) {
    bits[bit / kWordBits] |= std::uint64_t{1} << bit % kWordBits;
}

inline bool has_bit(const std::vector<std::uint64_t>& bits, std::uint32_t bit) {
    return bit / kWordBits < bits.size() && (bits[bit / kWordBits] >> bit % kWordBits & 1) != 0;
}

inline bool is_empty(const std::vector<std::uint64_t>& bits) {
    return std::all_of(bits.begin(), bits.end(), [](std::uint64_t word) { return word == 0; });
}

inline bool meet(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        if ((a[i] & b[i]) != 0) return true;
    }
    return false;
}

/// Whether `into` was not yet all of `from`.
inline bool unite(std::vector<std::uint64_t>& into, const std::vector<std::uint64_t>& from) {
    bool changed = false;
    for (std::size_t i = 0; i < from.size(); ++i) {
        const std::uint64_t both = into[i] | from[i];
        changed = changed || both != into[i];
        into[i] = both;
    }
    return changed;
}

}  // namespace mqinspect::thread_level
