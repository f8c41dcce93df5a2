/// A hash of texts that is the same on each machine and in each unit, which std::hash does not
/// promise: FNV-1a.
#pragma once

#include <cstdint>
#include <string_view>

namespace mqinspect::thread_level {

constexpr std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = 0xcbf2'9ce4'8422'2325U;
    for (const char letter : text)
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100'0000'01b3U;
    return hash;
}

}  // namespace mqinspect::thread_level
